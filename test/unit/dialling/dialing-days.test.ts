import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { campaignOpensAt } from '#dialling/decisions/assess.ts';
import { dialingDays } from '#dialling/decisions/dialing-days.ts';
import { parseDate } from '#kernel/calendar.ts';
import { prepareWindow } from '#policies/decisions/calling-window.ts';
import { NO_WINDOW } from '#test/support/no-window.ts';
import { campaignPolicy, policy, prepared } from '../policies/builders.ts';
import { DAY, local, MINUTE, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';

const dayOf = (date: string) => parseDate(date) ?? NaN;
const texts = (spans: readonly { start: string; end: string }[]) => spans.map(({ start, end }) => `${start}-${end}`);
const office = prepareWindow({ ...NO_WINDOW, workdayStart: '09:00', workdayEnd: '18:00' });

describe('dialingDays', () => {
  test('returns separately what the policies allow, what the campaign allows, and their intersection [D5.3, D8.3]', () => {
    const policies = prepared(
      policy('daily_window', { start: '08:00', end: '12:00' }),
      campaignPolicy('daily_window', { start: '10:00', end: '20:00' }),
    );
    const [day] = dialingDays({ window: office, policies, zone: SHANGHAI }, dayOf('2026-02-17'), 1);
    expect(day).toMatchObject({ date: '2026-02-17', weekday: 2, closedBy: [] });
    expect(texts(day?.openByCampaign ?? [])).toEqual(['09:00-18:00']);
    expect(texts(day?.openByPolicies ?? [])).toEqual(['10:00-12:00']);
    expect(day?.open).toEqual([
      { start: '10:00', end: '12:00', opensAt: local(SHANGHAI, '2026-02-17T10:00'), closesAt: local(SHANGHAI, '2026-02-17T12:00') },
    ]);
  });

  test('a closed day names the policies that close it: a holiday, a weekday without a window, an unreadable policy [D8.1, D5.3]', () => {
    const holiday = policy('holiday_blocklist', { recurringDates: ['10-01'], workdayOverrides: ['2026-10-10'] }, { id: 4 });
    const workdays = policy('weekly_window', { days: [1, 2, 3, 4, 5], start: '09:00', end: '18:00' }, { id: 5 });
    const window = prepareWindow(NO_WINDOW);
    const days = dialingDays({ window, policies: prepared(holiday, workdays), zone: SHANGHAI }, dayOf('2026-10-01'), 3);
    expect(days.map(({ date, open, closedBy }) => [date, texts(open), closedBy.map(({ id }) => id)])).toEqual([
      ['2026-10-01', [], [4]],
      ['2026-10-02', ['09:00-18:00'], []],
      ['2026-10-03', [], [5]],
    ]);
    const broken = policy('blocked_dates', {}, { id: 6 });
    const [day] = dialingDays({ window, policies: prepared(broken), zone: SHANGHAI }, dayOf('2026-10-02'), 1);
    expect(day).toMatchObject({ open: [], closedBy: [{ id: 6 }] });
  });

  test('a day without rules is open all day; a window across midnight appears on both days; a campaign opens at its scheduled start', () => {
    const night = prepareWindow({ ...NO_WINDOW, workdayStart: '22:00', workdayEnd: '02:00' });
    const first = dayOf('2026-02-17');
    const whole = dialingDays({ window: prepareWindow(NO_WINDOW), policies: prepared(), zone: SHANGHAI }, first, 1);
    expect(texts(whole[0]?.open ?? [])).toEqual(['00:00-24:00']);
    expect(texts(dialingDays({ window: night, policies: prepared(), zone: SHANGHAI }, first, 1)[0]?.open ?? [])).toEqual([
      '00:00-02:00',
      '22:00-24:00',
    ]);
    const planned = prepareWindow({ ...NO_WINDOW, scheduledStartAt: local(SHANGHAI, '2026-02-18T15:30') });
    const days = dialingDays({ window: planned, policies: prepared(), zone: SHANGHAI }, first, 3);
    expect(days.map(({ open }) => texts(open))).toEqual([[], ['15:30-24:00'], ['00:00-24:00']]);
  });

  test('a time is open here exactly when the dispatcher may dial, also across clock changes', () => {
    const first = dayOf('2026-03-01');
    const from = local(NEW_YORK, '2026-03-01T00:00');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_439 }),
        fc.integer({ min: 1, max: 1_438 }),
        fc.integer({ min: 0, max: 13 * 1_440 }),
        (start, long, minute) => {
          const text = (at: number) => `${String(Math.floor((at % 1_440) / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
          const policies = prepared(policy('weekly_window', { days: [1, 3, 6, 7], start: text(start), end: text(start + long) }));
          const at = from + minute * MINUTE;
          const days = dialingDays({ window: office, policies, zone: NEW_YORK }, first, 14);
          const isOpen = days.some(({ open }) => open.some(({ opensAt, closesAt }) => at >= opensAt && at < closesAt));
          expect(isOpen).toBe(campaignOpensAt(office, policies, at, [NEW_YORK]) === at);
        },
      ),
      { numRuns: 300 },
    );
    const [sunday] = dialingDays({ window: prepareWindow(NO_WINDOW), policies: prepared(), zone: NEW_YORK }, dayOf('2026-03-08'), 1);
    expect(sunday?.open.map(({ opensAt, closesAt }) => closesAt - opensAt)).toEqual([DAY - 60 * MINUTE]);
  });
});
