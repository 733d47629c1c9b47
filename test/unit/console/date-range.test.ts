import { describe, expect, test } from '@jest/globals';
import { dayIn, daysOf, instantsOf, type Preset } from '../../../console/text/date-range.ts';

const ZONE = 'Asia/Shanghai';

describe('presets', () => {
  test.each<[Preset, string, string]>([
    ['today', '2026-12-02', '2026-12-02'],
    ['yesterday', '2026-12-01', '2026-12-01'],
    ['tomorrow', '2026-12-03', '2026-12-03'],
    ['week', '2026-11-26', '2026-12-02'],
    ['month', '2026-11-03', '2026-12-02'],
    ['ahead', '2026-12-02', '2026-12-08'],
    ['thisWeek', '2026-11-30', '2026-12-06'],
    ['thisMonth', '2026-12-01', '2026-12-02'],
    ['all', '', ''],
  ])('%s on a Wednesday lasts from %s to %s, both days included', (preset, from, to) => {
    expect(daysOf(preset, '2026-12-02')).toEqual({ from, to });
  });

  test('a Sunday belongs to the week that began on Monday', () => {
    expect(daysOf('thisWeek', '2026-12-06')).toEqual({ from: '2026-11-30', to: '2026-12-06' });
  });

  test('today is the day of the business time zone, not of the browser', () => {
    const lateEvening = Date.parse('2026-12-01T17:00:00Z');
    expect(dayIn(ZONE, lateEvening)).toBe('2026-12-02');
    expect(dayIn('America/New_York', lateEvening)).toBe('2026-12-01');
  });
});

describe('bounds', () => {
  test('days count from midnight to midnight of the zone', () => {
    expect(instantsOf({ from: '2026-12-01', to: '2026-12-02' }, ZONE)).toEqual({
      from: '2026-11-30T16:00:00.000Z',
      to: '2026-12-02T16:00:00.000Z',
    });
  });

  test('a day on which the clocks change has 23 hours', () => {
    expect(instantsOf({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/Berlin')).toEqual({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    });
  });

  test('minutes count as they are typed', () => {
    expect(instantsOf({ from: '2026-12-01T09:00', to: '2026-12-01T10:30' }, ZONE)).toEqual({
      from: '2026-12-01T01:00:00.000Z',
      to: '2026-12-01T02:30:00.000Z',
    });
  });

  test('a bound that is empty or no time at all is missing', () => {
    expect(instantsOf({ from: '', to: '2026-02-30' }, ZONE)).toEqual({ from: null, to: null });
    expect(instantsOf({ from: 'yesterday', to: '' }, ZONE)).toEqual({ from: null, to: null });
  });
});
