import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ALWAYS,
  dailySchedule,
  intersectSchedules,
  isAlways,
  isNever,
  isOpenAt,
  NEVER,
  nextEdge,
  uniteSchedules,
  weeklySchedule,
} from '#policies/decisions/week-schedule.ts';

const minute = fc.integer({ min: 0, max: 1439 });
const weekday = fc.integer({ min: 1, max: 7 });
const schedule = fc
  .tuple(fc.uniqueArray(weekday, { maxLength: 7 }), minute, minute)
  .filter(([, start, end]) => start !== end)
  .map(([days, start, end]) => weeklySchedule(days, start, end));

describe('week schedule', () => {
  test('a window across midnight belongs to the day on which it starts [D8.1]', () => {
    const friday = weeklySchedule([5], 22 * 60, 2 * 60);
    expect([isOpenAt(friday, 5, 1439), isOpenAt(friday, 6, 0), isOpenAt(friday, 6, 119), isOpenAt(friday, 6, 120)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(isOpenAt(friday, 5, 0)).toBe(false);
    expect(isOpenAt(weeklySchedule([7], 1380, 60), 1, 30)).toBe(true);
  });

  test('a window that ends at 00:00 ends with its day', () => {
    const evening = weeklySchedule([1], 1200, 0);
    expect(isOpenAt(evening, 1, 1439)).toBe(true);
    expect(isOpenAt(evening, 2, 0)).toBe(false);
  });

  test('union and intersection agree with their definition at every minute [D8.3]', () => {
    fc.assert(
      fc.property(schedule, schedule, weekday, minute, (a, b, weekday, minute) => {
        const [inA, inB] = [isOpenAt(a, weekday, minute), isOpenAt(b, weekday, minute)];
        expect(isOpenAt(uniteSchedules([a, b]), weekday, minute)).toBe(inA || inB);
        expect(isOpenAt(intersectSchedules(a, b), weekday, minute)).toBe(inA && inB);
      }),
    );
  });

  test('nothing changes between a minute and the next edge', () => {
    fc.assert(
      fc.property(schedule, schedule, weekday, minute, (a, b, weekday, from) => {
        const both = uniteSchedules([a, b]);
        const edge = nextEdge(both, weekday, from);
        expect(edge).toBeGreaterThan(from);
        for (let at = from; at < edge; at += 1) expect(isOpenAt(both, weekday, at)).toBe(isOpenAt(both, weekday, from));
      }),
    );
  });

  test('windows that together cover the whole day are always open', () => {
    expect(isAlways(uniteSchedules([dailySchedule(480, 1200), dailySchedule(1200, 480)]))).toBe(true);
    expect(isAlways(dailySchedule(0, 1439))).toBe(false);
    expect(isNever(intersectSchedules(dailySchedule(60, 120), dailySchedule(120, 180)))).toBe(true);
    expect(intersectSchedules(ALWAYS, NEVER)).toBe(NEVER);
  });
});
