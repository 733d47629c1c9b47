import { describe, expect, test } from '@jest/globals';
import { rangeOf } from '#schedules/decisions/span-range.ts';
import { SPANS } from '#schedules/schedule.ts';

const HOUR = 3_600_000;
const range = (span: (typeof SPANS)[number], zone: string, at: string) => {
  const { from, to } = rangeOf(span, zone, Date.parse(at));
  return [new Date(from).toISOString(), new Date(to).toISOString()];
};
const hours = (zone: string, at: string) => {
  const { from, to } = rangeOf('yesterday', zone, Date.parse(at));
  return (to - from) / HOUR;
};

describe('the range of a run [D14.8]', () => {
  // A Sunday, eight in the morning in Shanghai.
  const RUN = '2026-11-29T00:00:00Z';

  test.each([
    ['today', '2026-11-28T16:00:00.000Z', '2026-11-29T00:00:00.000Z'],
    ['yesterday', '2026-11-27T16:00:00.000Z', '2026-11-28T16:00:00.000Z'],
    ['last_24_hours', '2026-11-28T00:00:00.000Z', '2026-11-29T00:00:00.000Z'],
    ['last_7_days', '2026-11-21T16:00:00.000Z', '2026-11-28T16:00:00.000Z'],
    ['last_30_days', '2026-10-29T16:00:00.000Z', '2026-11-28T16:00:00.000Z'],
    ['this_week', '2026-11-22T16:00:00.000Z', '2026-11-29T00:00:00.000Z'],
    ['last_week', '2026-11-15T16:00:00.000Z', '2026-11-22T16:00:00.000Z'],
    ['this_month', '2026-10-31T16:00:00.000Z', '2026-11-29T00:00:00.000Z'],
    ['last_month', '2026-09-30T16:00:00.000Z', '2026-10-31T16:00:00.000Z'],
  ] as const)('is for %s from %s to %s', (span, from, to) => {
    expect(range(span, 'Asia/Shanghai', RUN)).toEqual([from, to]);
  });

  test('is a day of 23 or 25 hours where clocks have changed, and of 23.5 or 24.5 on Lord Howe Island', () => {
    expect(hours('America/New_York', '2026-03-09T12:00Z')).toBe(23);
    expect(hours('America/New_York', '2026-11-02T13:00Z')).toBe(25);
    expect(hours('Australia/Lord_Howe', '2026-10-04T21:00Z')).toBe(23.5);
    expect(hours('Australia/Lord_Howe', '2026-04-05T21:30Z')).toBe(24.5);
  });

  test('crosses the end of a year', () => {
    expect(range('last_month', 'UTC', '2027-01-01T06:00Z')).toEqual(['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
  });

  test.each(SPANS)('is never empty: %s at midnight sharp of a Monday that begins a month', span => {
    const { from, to } = rangeOf(span, 'UTC', Date.parse('2026-06-01T00:00Z'));
    expect(to).toBeGreaterThan(from);
  });
});
