import { describe, expect, test } from '@jest/globals';
import { cronFault, dueRun, MAX_MISSED, nextRunAt, nextRuns } from '#schedules/decisions/due-times.ts';

const at = (text: string) => Date.parse(text);
const runs = (cron: string, timeZone: string, after: string, count: number) =>
  nextRuns({ cron, timeZone }, at(after), count).map(time => new Date(time).toISOString().slice(0, 16));

describe('the times of a schedule [D14.8]', () => {
  test('come on weekdays at eight by the clocks of their zone', () => {
    // The first is a Friday.
    expect(runs('0 8 * * 1-5', 'Asia/Shanghai', '2026-11-26T16:00Z', 3)).toEqual([
      '2026-11-27T00:00',
      '2026-11-30T00:00',
      '2026-12-01T00:00',
    ]);
  });

  test('stay at their hour of the day when clocks change', () => {
    expect(runs('0 8 * * *', 'America/New_York', '2026-03-07T00:00Z', 3)).toEqual([
      '2026-03-07T13:00',
      '2026-03-08T12:00',
      '2026-03-09T12:00',
    ]);
    expect(runs('0 8 * * *', 'America/New_York', '2026-10-31T00:00Z', 3)).toEqual([
      '2026-10-31T12:00',
      '2026-11-01T13:00',
      '2026-11-02T13:00',
    ]);
  });

  test.each([
    ['America/New_York', '30 2 * * *', '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:30']],
    // Clocks go from 02:00 to 02:30.
    ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T00:00Z', ['2026-10-03T15:30', '2026-10-04T15:15']],
  ])('that clocks in %s skip come at the first minute after the change', (zone, cron, after, expected) => {
    expect(runs(cron, zone, after, 2)).toEqual(expected);
  });

  test.each([
    ['America/New_York', '30 1 * * *', '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    ['America/New_York', '0,30 1 * * *', '2026-10-31T12:00Z', ['2026-11-01T05:00', '2026-11-01T05:30', '2026-11-02T06:00']],
    // Clocks go from 02:00 back to 01:30.
    ['Australia/Lord_Howe', '45 1 * * *', '2026-04-04T00:00Z', ['2026-04-04T14:45', '2026-04-05T15:15']],
  ])('that come twice in %s count once', (zone, cron, after, expected) => {
    expect(runs(cron, zone, after, expected.length)).toEqual(expected);
  });

  test('that repeat within the hour go on through a change of clocks', () => {
    expect(runs('*/30 * * * *', 'America/New_York', '2026-11-01T05:00Z', 4)).toEqual([
      '2026-11-01T05:30',
      '2026-11-01T06:00',
      '2026-11-01T06:30',
      '2026-11-01T07:00',
    ]);
    expect(runs('*/30 * * * *', 'Australia/Lord_Howe', '2026-10-03T15:00Z', 3)).toEqual([
      '2026-10-03T15:30',
      '2026-10-03T16:00',
      '2026-10-03T16:30',
    ]);
  });

  test('on the last day of months know their lengths', () => {
    expect(runs('0 0 L * *', 'UTC', '2028-01-31T12:00Z', 2)).toEqual(['2028-02-29T00:00', '2028-03-31T00:00']);
  });
});

describe('an expression [D14.8]', () => {
  test.each([
    ['*/5 * * * *', null],
    ['0 8 * * 1-5', null],
    ['@daily', null],
    ['* * * * *', 'cronTooOften'],
    ['0,4 9 * * *', 'cronTooOften'],
    // 8:58 and 9:02.
    ['2,58 8,9 * * *', 'cronTooOften'],
    ['0,58 0,23 * * *', 'cronTooOften'],
    ['0 0 30 2 *', 'cronNever'],
    ['0 8 * *', 'cron'],
    ['0 0 8 * * *', 'cron'],
    ['61 8 * * *', 'cron'],
    ['jeden Tag', 'cron'],
    ['2026-12-01T08:00:00', 'cron'],
  ])('%s is judged as %s', (cron, fault) => {
    expect(cronFault({ cron, timeZone: 'Asia/Shanghai' }, at('2026-11-29T00:00Z'))).toBe(fault);
  });
});

describe('a due run [D14.8]', () => {
  const DAILY = { cron: '0 8 * * *', timeZone: 'UTC' };

  test('that comes in time misses none', () => {
    expect(dueRun(DAILY, at('2026-11-29T08:00Z'), at('2026-11-29T08:00:04Z'))).toEqual({ dueAt: at('2026-11-29T08:00Z'), missed: 0 });
  });

  test('that comes late says so, though it is made up for', () => {
    expect(dueRun(DAILY, at('2026-11-29T08:00Z'), at('2026-11-29T08:30Z'))).toEqual({ dueAt: at('2026-11-29T08:00Z'), missed: 1 });
  });

  test('stands for all times that have passed, and is due at the last of them', () => {
    expect(dueRun(DAILY, at('2026-11-26T08:00Z'), at('2026-11-29T08:00:04Z'))).toEqual({ dueAt: at('2026-11-29T08:00Z'), missed: 3 });
  });

  test('counts up to a bound, and is still due at the last time', () => {
    const often = { cron: '*/5 * * * *', timeZone: 'Asia/Shanghai' };
    expect(dueRun(often, at('2026-10-01T00:00Z'), at('2026-11-29T08:02:30Z'))).toEqual({
      dueAt: at('2026-11-29T08:00Z'),
      missed: MAX_MISSED,
    });
  });

  test('is followed by the next time in the future', () => {
    expect(nextRunAt(DAILY, at('2026-11-29T08:00Z'))).toBe(at('2026-11-30T08:00Z'));
  });
});
