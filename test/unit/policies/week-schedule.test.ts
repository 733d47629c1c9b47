import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  ALWAYS,
  dailySchedule,
  intersectSchedules,
  isAlways,
  isNever,
  isOpenAt,
  jointSchedules,
  NEVER,
  nextEdge,
  uniteSchedules,
  type WeekSchedule,
  weeklySchedule,
} from '#policies/decisions/week-schedule.ts';

const minute = fc.integer({ min: 0, max: 1439 });
const weekday = fc.integer({ min: 1, max: 7 });
const schedule = fc
  .tuple(fc.uniqueArray(weekday, { maxLength: 7 }), minute, minute)
  .filter(([, start, end]) => start !== end)
  .map(([days, start, end]) => weeklySchedule(days, start, end));

/** A day number with this weekday. */
const dayOf = (weekday: number) => weekday + 3;
const openAt = (schedule: WeekSchedule, weekday: number, minute: number) =>
  isOpenAt({ schedule, isMakeUpDay: null }, dayOf(weekday), minute);

describe('week schedule', () => {
  test('a window across midnight belongs to the day on which it starts [D8.1]', () => {
    const friday = weeklySchedule([5], 22 * 60, 2 * 60);
    expect([openAt(friday, 5, 1439), openAt(friday, 6, 0), openAt(friday, 6, 119), openAt(friday, 6, 120)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(openAt(friday, 5, 0)).toBe(false);
    expect(openAt(weeklySchedule([7], 1380, 60), 1, 30)).toBe(true);
  });

  test('a window that ends at 00:00 ends with its day', () => {
    const evening = weeklySchedule([1], 1200, 0);
    expect(openAt(evening, 1, 1439)).toBe(true);
    expect(openAt(evening, 2, 0)).toBe(false);
  });

  test('union and intersection agree with their definition at every minute [D8.3]', () => {
    fc.assert(
      fc.property(schedule, schedule, weekday, minute, (a, b, weekday, minute) => {
        const [inA, inB] = [openAt(a, weekday, minute), openAt(b, weekday, minute)];
        expect(openAt(uniteSchedules([a, b]), weekday, minute)).toBe(inA || inB);
        expect(openAt(intersectSchedules(a, b), weekday, minute)).toBe(inA && inB);
      }),
    );
  });

  test('nothing changes between a minute and the next edge', () => {
    fc.assert(
      fc.property(schedule, schedule, weekday, minute, (a, b, weekday, from) => {
        const both = uniteSchedules([a, b]);
        const edge = nextEdge({ schedule: both, isMakeUpDay: null }, dayOf(weekday), from);
        expect(edge).toBeGreaterThan(from);
        const minutes = Array.from({ length: edge - from }, (_, index) => from + index);
        expect(minutes.filter(at => openAt(both, weekday, at) !== openAt(both, weekday, from))).toEqual([]);
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

describe('make-up days [D8.1]', () => {
  const [MONDAY, SATURDAY, SUNDAY] = [dayOf(1), dayOf(6), dayOf(7)];
  const isMakeUpDay = (day: number) => day === SATURDAY;
  const opens = (schedule: WeekSchedule, day: number, minute: number) => isOpenAt({ schedule, isMakeUpDay }, day, minute);

  test('open a window of all workdays, and no other', () => {
    const office = weeklySchedule([1, 2, 3, 4, 5], 540, 1080);
    expect([opens(office, SATURDAY, 540), opens(office, SATURDAY, 1080), opens(office, SUNDAY, 600)]).toEqual([true, false, false]);
    expect(opens(weeklySchedule([1, 3, 5], 540, 1080), SATURDAY, 600)).toBe(false);
  });

  test('keep the hours of their weekday', () => {
    const both = uniteSchedules([weeklySchedule([1, 2, 3, 4, 5], 540, 1080), weeklySchedule([6], 480, 600)]);
    expect([opens(both, SATURDAY, 480), opens(both, SATURDAY, 1079), opens(both, MONDAY, 480)]).toEqual([true, true, false]);
    expect(opens(weeklySchedule([6, 7], 600, 720), SATURDAY, 600)).toBe(true);
  });

  test('carry a window across midnight into the day after', () => {
    const night = weeklySchedule([1, 2, 3, 4, 5], 1200, 120);
    expect([opens(night, SATURDAY, 1439), opens(night, SUNDAY, 119), opens(night, SUNDAY, 120)]).toEqual([true, true, false]);
  });

  test('are heeded by the schedules that have them when schedules are joined', () => {
    const office = weeklySchedule([1, 2, 3, 4, 5], 540, 1080);
    const joint = jointSchedules([
      { schedule: office, isMakeUpDay },
      { schedule: office, isMakeUpDay: null },
    ]);
    expect(joint.every(schedule => isOpenAt(schedule, MONDAY, 600))).toBe(true);
    expect(joint.every(schedule => isOpenAt(schedule, SATURDAY, 600))).toBe(false);
    expect(jointSchedules([{ schedule: ALWAYS, isMakeUpDay: null }])).toEqual([{ schedule: ALWAYS, isMakeUpDay: null }]);
  });
});
