import { describe, expect, test } from '@jest/globals';
import { quarterKeys, timeKeyOf } from '#call-stats/decisions/time-keys.ts';

const at = (text: string) => Date.parse(text);

describe('keys of groups by time [D14.6]', () => {
  test.each([
    ['hour', 'Asia/Shanghai', '2026-11-29T01:59:59.999Z', '2026-11-29T01:00:00.000Z'],
    ['hour', 'Asia/Kathmandu', '2026-11-29T01:20:00.000Z', '2026-11-29T01:15:00.000Z'],
    // Clocks of Lord Howe skip and repeat half an hour.
    ['hour', 'Australia/Lord_Howe', '2026-10-03T15:10:00.000Z', '2026-10-03T14:30:00.000Z'],
    ['hour', 'Australia/Lord_Howe', '2026-10-03T15:40:00.000Z', '2026-10-03T15:30:00.000Z'],
    ['hour', 'Australia/Lord_Howe', '2026-04-04T14:50:00.000Z', '2026-04-04T14:00:00.000Z'],
    ['hour', 'Australia/Lord_Howe', '2026-04-04T15:10:00.000Z', '2026-04-04T14:00:00.000Z'],
    ['hour_of_day', 'Asia/Shanghai', '2026-11-29T01:30:00.000Z', '09'],
    ['hour_of_day', 'Asia/Kathmandu', '2026-11-29T01:10:00.000Z', '06'],
    ['weekday', 'Asia/Shanghai', '2026-11-29T16:00:00.000Z', '1'],
    ['day', 'Asia/Shanghai', '2026-11-29T16:00:00.000Z', '2026-11-30'],
    ['day', 'America/New_York', '2026-11-29T04:59:00.000Z', '2026-11-28'],
    ['week', 'Asia/Shanghai', '2026-11-29T12:00:00.000Z', '2026-11-23'],
    ['month', 'Asia/Shanghai', '2026-11-30T16:00:00.000Z', '2026-12'],
  ] as const)('%s in %s of %s is %s', (dimension, zone, instant, key) => {
    expect(timeKeyOf(dimension, zone, at(instant))).toBe(key);
  });

  test('an hour that clocks repeat is two hours, and one hour of the day', () => {
    const [first, second] = [at('2026-11-01T05:30:00Z'), at('2026-11-01T06:30:00Z')];
    expect(timeKeyOf('hour', 'America/New_York', first)).not.toBe(timeKeyOf('hour', 'America/New_York', second));
    expect([first, second].map(instant => timeKeyOf('hour_of_day', 'America/New_York', instant))).toEqual(['01', '01']);
  });

  test('quarters of one UTC hour fall into two hours where zones are not on the hour', () => {
    expect(quarterKeys('hour_of_day', 'Asia/Kathmandu', at('2026-11-29T01:00:00Z'))).toEqual(['06', '07', '07', '07']);
    expect(quarterKeys('hour_of_day', 'Asia/Shanghai', at('2026-11-29T01:00:00Z'))).toEqual(['09', '09', '09', '09']);
  });
});
