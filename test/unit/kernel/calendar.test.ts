import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  clockChangeAfter,
  dateText,
  isTimeZone,
  localTimeAt,
  monthDayOf,
  parseDate,
  parseMonthDay,
  parseEndOfWindow,
  parseTimeOfDay,
  weekdayOf,
} from '#kernel/calendar.ts';
import { local, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';

const ZONES = [
  SHANGHAI,
  NEW_YORK,
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Cairo',
  'UTC',
  'Pacific/Apia',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2045, 0, 1) });

function day(text: string): number {
  const parsed = parseDate(text);
  if (parsed === null) throw new Error(`not a date: ${text}`);
  return parsed;
}

describe('localTimeAt', () => {
  test('agrees with Temporal, in zones with and without clock changes [D1.2]', () => {
    fc.assert(
      fc.property(zone, instant, (zone, at) => {
        const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        const actual = localTimeAt(zone, at);
        expect(dateText(actual.day)).toBe(expected.toPlainDate().toString());
        expect(actual.minute).toBe(expected.hour * 60 + expected.minute);
        expect(actual.weekday).toBe(expected.dayOfWeek);
      }),
      { numRuns: 400 },
    );
  });

  test('changes the date at local midnight, not at UTC midnight', () => {
    const midnight = local(SHANGHAI, '2026-02-17T00:00');
    expect(dateText(localTimeAt(SHANGHAI, midnight - 1).day)).toBe('2026-02-16');
    expect(localTimeAt(SHANGHAI, midnight)).toEqual({ day: day('2026-02-17'), minute: 0, weekday: 2 });
  });

  test('uses the new offset from the instant of a clock change on', () => {
    const jump = local('America/Denver', '2026-03-08T03:00');
    expect(localTimeAt('America/Denver', jump).minute).toBe(180);
    expect(localTimeAt('America/Denver', jump - 1).minute).toBe(119);
  });

  test('rejects an unknown zone', () => {
    expect(() => localTimeAt('Mars/Olympus', 0)).toThrow('time zone');
    expect(isTimeZone('Mars/Olympus')).toBe(false);
    expect(isTimeZone(NEW_YORK)).toBe(true);
  });
});

test("returns the zone's next clock change, or Infinity if there is none", () => {
  expect(clockChangeAfter(NEW_YORK, Date.UTC(2026, 0, 1))).toBe(local(NEW_YORK, '2026-03-08T03:00'));
  expect(clockChangeAfter(SHANGHAI, Date.UTC(2026, 0, 1))).toBe(Infinity);
});

describe('calendar texts', () => {
  test('weekday 1 is Monday and 7 Sunday, also before 1970 [D8.1]', () => {
    expect(weekdayOf(day('2026-02-16'))).toBe(1);
    expect(weekdayOf(day('2026-02-22'))).toBe(7);
    expect(weekdayOf(day('1969-12-28'))).toBe(7);
  });

  test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-2-3', '20260203', ' 2026-02-03', '2026-02-03T00:00', ''])(
    '%j is not a date',
    text => expect(parseDate(text)).toBeNull(),
  );

  test('29 February is a date only in leap years, but a valid month and day in lists', () => {
    expect(dateText(day('2028-02-29'))).toBe('2028-02-29');
    expect(parseMonthDay('02-29')).toBe(229);
    expect(parseMonthDay('02-30')).toBeNull();
    expect(parseMonthDay('2-9')).toBeNull();
    expect(monthDayOf(day('2028-02-29'))).toBe(229);
  });

  test.each([
    ['00:00', 0],
    ['09:05', 545],
    ['23:59', 1439],
    ['24:00', null],
    ['9:00', null],
    ['09:60', null],
    ['', null],
  ])('time of day %j is %j [D5.3]', (text, minute) => expect(parseTimeOfDay(text)).toBe(minute));

  test.each([
    ['24:00', 1440],
    ['23:59', 1439],
    ['24:01', null],
    ['00:00', 0],
  ])('the end of a window %j is %j [D5.3, D8.1]', (text, minute) => expect(parseEndOfWindow(text)).toBe(minute));
});
