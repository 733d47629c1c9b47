import { describe, expect, test } from '@jest/globals';
import { cronOf, timesOf } from '../../../console/pages/schedules/times.ts';

describe('the times of a schedule in its form', () => {
  test.each([
    ['0 8 * * 1-5', 'WEEKDAYS', '08:00'],
    ['30 18 * * *', 'DAILY', '18:30'],
    ['5 9 * * 1', 'MONDAYS', '09:05'],
    ['0 6 1 * *', 'FIRST_OF_MONTH', '06:00'],
    ['0 * * * *', 'HOURLY', '08:00'],
    ['*/15 9-18 * * 1-5', 'CUSTOM', '08:00'],
    ['0 8 15 * *', 'CUSTOM', '08:00'],
  ])('%s is %s at %s, and the same expression again', (cron, rhythm, at) => {
    const times = timesOf(cron);
    expect(times).toMatchObject({ rhythm, at });
    expect(cronOf(times)).toBe(cron);
  });

  test('give no expression while the time of day is missing', () => {
    expect(cronOf({ rhythm: 'DAILY', at: '', cron: '' })).toBe('');
  });
});
