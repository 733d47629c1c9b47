import { describe, expect, test } from '@jest/globals';
import { OPENING_HORIZON_MS, openingAt } from '#policies/decisions/week-schedule.ts';
import { evaluateCampaign } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import { local, NEW_YORK, SHANGHAI } from '#test/support/zones.ts';
import { CAMPAIGN_ID, campaignPolicy, LIMITS, policy, prepared } from './builders.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

/** The verdict, with the times at which the policies' hours change it. */
function ask(when: string, list: Policy[], zone = SHANGHAI) {
  const question = { policies: prepared(...list), campaign: LIMITS, at: local(zone, when), zones: [zone] };
  const { closesAt, nextOpenAt } = openingAt(question.policies.hours, [zone], question.at);
  return { ...evaluateCampaign(question), allowedUntil: closesAt, nextAllowedAt: nextOpenAt };
}

const holidays = policy('holiday_blocklist', {
  dates: ['2026-02-17', '2026-02-18'],
  recurringDates: ['10-01', '02-29'],
  workdayOverrides: ['2026-02-18', '2026-10-01'],
});

describe('no policy', () => {
  test("allows indefinitely and keeps the campaign's own limits [OCS 2.9]", () => {
    expect(ask('2026-02-17T03:00', [])).toEqual({
      allowed: true,
      reason: null,
      blockedBy: null,
      refusals: {},
      matchedPolicies: [],
      effectiveLimits: LIMITS,
      allowedUntil: null,
      nextAllowedAt: null,
    });
  });
});

describe('blocked dates', () => {
  const dates = policy('blocked_dates', { dates: ['2026-02-17', '2026-02-18'] });

  test('block the whole local day, not the UTC day [D8.1]', () => {
    expect(ask('2026-02-16T23:59', [dates])).toMatchObject({ allowed: true, allowedUntil: local(SHANGHAI, '2026-02-17T00:00') });
    expect(ask('2026-02-17T00:00', [dates])).toMatchObject({
      allowed: false,
      blockedBy: 'blocked_date',
      reason: '策略「blocked_dates 策略」：2026-02-17 禁止外呼',
      matchedPolicies: [dates],
      allowedUntil: null,
      nextAllowedAt: local(SHANGHAI, '2026-02-19T00:00'),
    });
    expect(ask('2026-02-19T00:00', [dates]).allowed).toBe(true);
  });

  test('a day of 23 hours is blocked until its end', () => {
    const verdict = ask('2026-03-08T00:00', [policy('blocked_dates', { dates: ['2026-03-08'] })], NEW_YORK);
    expect(verdict.nextAllowedAt).toBe(local(NEW_YORK, '2026-03-09T00:00'));
  });
});

describe('holidays', () => {
  test('a make-up workday overrides both date lists of its policy [D8.1]', () => {
    expect(ask('2026-02-17T10:00', [holidays]).allowed).toBe(false);
    expect(ask('2026-02-18T10:00', [holidays]).allowed).toBe(true);
    expect(ask('2026-10-01T10:00', [holidays]).allowed).toBe(true);
    expect(ask('2027-10-01T10:00', [holidays])).toMatchObject({ allowed: false, blockedBy: 'blocked_date' });
  });

  test('29 February recurs in leap years only [OCS 4.9]', () => {
    expect(ask('2027-02-28T10:00', [holidays]).allowed).toBe(true);
    expect(ask('2027-03-01T10:00', [holidays]).allowed).toBe(true);
    expect(ask('2028-02-29T10:00', [holidays]).allowed).toBe(false);
  });

  test('a make-up workday does not override another policy [D8.3]', () => {
    const blocked = policy('blocked_dates', { dates: ['2026-02-18'] }, { id: 5 });
    expect(ask('2026-02-18T10:00', [holidays, blocked])).toMatchObject({ allowed: false, matchedPolicies: [blocked] });
  });

  test('a date beyond the horizon does not extend the permission past the horizon', () => {
    const leapDay = policy('holiday_blocklist', { recurringDates: ['02-29'] });
    const at = local(SHANGHAI, '2026-02-17T10:00');
    expect(ask('2026-02-17T10:00', [leapDay]).allowedUntil).toBe(at + OPENING_HORIZON_MS);
  });
});

describe('windows', () => {
  const office = policy('daily_window', { start: '09:00', end: '18:00' });
  const evening = policy('daily_window', { start: '20:00', end: '21:00' }, { id: 3 });

  test('are half-open [D8.1]', () => {
    expect(ask('2026-02-17T08:59', [office])).toMatchObject({
      allowed: false,
      blockedBy: 'outside_window',
      nextAllowedAt: local(SHANGHAI, '2026-02-17T09:00'),
    });
    expect(ask('2026-02-17T09:00', [office])).toMatchObject({ allowed: true, allowedUntil: local(SHANGHAI, '2026-02-17T18:00') });
    expect(ask('2026-02-17T18:00', [office]).allowed).toBe(false);
  });

  test('inside any window of the same scope is allowed [D8.3]', () => {
    expect(ask('2026-02-17T20:30', [office, evening])).toMatchObject({ allowed: true, matchedPolicies: [evening] });
    expect(ask('2026-02-17T19:00', [office, evening])).toMatchObject({
      allowed: false,
      matchedPolicies: [office, evening],
      nextAllowedAt: local(SHANGHAI, '2026-02-17T20:00'),
    });
  });

  test('both scopes must allow [OCS 4.9, D8.3]', () => {
    const campaign = campaignPolicy('daily_window', { start: '12:00', end: '20:30' });
    expect(ask('2026-02-17T10:00', [office, campaign])).toMatchObject({ allowed: false, matchedPolicies: [office, campaign] });
    expect(ask('2026-02-17T13:00', [office, campaign])).toMatchObject({ allowed: true, allowedUntil: local(SHANGHAI, '2026-02-17T18:00') });
    expect(ask('2026-02-17T20:10', [office, campaign])).toMatchObject({
      allowed: false,
      reason: '策略「daily_window 策略」：不在可呼时段内',
    });
    expect(ask('2026-02-17T20:10', [office, evening, campaign]).allowed).toBe(true);
  });

  test('weekdays: 1 is Monday, 7 and 0 are Sunday [D8.1]', () => {
    const sunday = (days: number[]) => [policy('weekly_window', { days, start: '09:00', end: '18:00' })];
    expect(ask('2026-02-22T10:00', sunday([7])).allowed).toBe(true);
    expect(ask('2026-02-22T10:00', sunday([0])).allowed).toBe(true);
    expect(ask('2026-02-23T10:00', sunday([0]))).toMatchObject({ allowed: false, nextAllowedAt: local(SHANGHAI, '2026-03-01T09:00') });
    expect(ask('2026-02-23T10:00', sunday([1])).allowed).toBe(true);
  });

  test('a weekly window across midnight continues into the next day, also from Sunday to Monday [D8.1]', () => {
    const night = [policy('weekly_window', { days: [7], start: '22:00', end: '02:00' })];
    expect(ask('2026-02-22T23:00', night)).toMatchObject({ allowed: true, allowedUntil: local(SHANGHAI, '2026-02-23T02:00') });
    expect(ask('2026-02-23T01:59', night).allowed).toBe(true);
    expect(ask('2026-02-23T02:00', night).allowed).toBe(false);
    expect(ask('2026-02-22T01:00', night).allowed).toBe(false);
  });

  test('windows and dates together open on the first day that is not blocked [D8.3]', () => {
    const dates = policy('blocked_dates', { dates: ['2026-02-18', '2026-02-19'] }, { id: 4 });
    expect(ask('2026-02-17T18:00', [office, dates]).nextAllowedAt).toBe(local(SHANGHAI, '2026-02-20T09:00'));
  });

  test('a window across midnight ends where a blocked date starts', () => {
    const night = policy('daily_window', { start: '20:00', end: '04:00' });
    const dates = policy('blocked_dates', { dates: ['2026-02-18'] }, { id: 4 });
    expect(ask('2026-02-17T23:00', [night, dates]).allowedUntil).toBe(local(SHANGHAI, '2026-02-18T00:00'));
    expect(ask('2026-02-18T21:00', [night, dates]).nextAllowedAt).toBe(local(SHANGHAI, '2026-02-19T00:00'));
  });

  test('windows that do not overlap never open [D8.3]', () => {
    expect(ask('2026-02-17T10:00', [office, campaignPolicy('daily_window', { start: '19:00', end: '20:00' })])).toMatchObject({
      allowed: false,
      nextAllowedAt: null,
    });
  });
});

describe('limits', () => {
  test('the strictest of campaign and policies applies, member by member [D8.3]', () => {
    const limits = [
      policy('concurrency_limit', { maxConcurrency: 50 }, { id: 1 }),
      campaignPolicy('concurrency_limit', { maxConcurrency: 4 }, { id: 2 }),
      policy('retry_rule', { retryIntervalSeconds: 900 }, { id: 3 }),
      policy('retry_rule', { maxRetries: 1, retryIntervalSeconds: 60 }, { id: 4 }),
      policy('rate_limit', { callIntervalMs: 500 }, { id: 5 }),
    ];
    const verdict = ask('2026-02-17T10:00', limits);
    expect(verdict.effectiveLimits).toEqual({ maxConcurrency: 4, maxRetries: 1, retryIntervalSeconds: 900, callIntervalMs: 1_000 });
    expect(verdict).toMatchObject({ allowed: true, allowedUntil: null });
  });
});

describe('which policies apply', () => {
  const closed = { start: '00:00', end: '00:01' };

  test('a disabled policy or one of another campaign does not apply [OCS 2.9]', () => {
    expect(ask('2026-02-17T10:00', [policy('daily_window', closed, { isEnabled: 0 })]).allowed).toBe(true);
    expect(ask('2026-02-17T10:00', [policy('daily_window', closed, { isEnabled: false })]).allowed).toBe(true);
    expect(ask('2026-02-17T10:00', [campaignPolicy('daily_window', closed, { campaignId: CAMPAIGN_ID + 1 })]).allowed).toBe(true);
    expect(ask('2026-02-17T10:00', [campaignPolicy('daily_window', closed, { isEnabled: true })]).allowed).toBe(false);
  });

  test('only global policies apply to a call outside a campaign', () => {
    const both = preparePolicies([policy('daily_window', closed), campaignPolicy('daily_window', closed)], null, 'CN');
    expect(both.entries.map(entry => entry.policy.scope)).toEqual(['global']);
  });

  test('matched policies are sorted by priority, then global first, then id; the first gives the reason [D8.2]', () => {
    const list = [
      policy('daily_window', closed, { id: 1, priority: 1, name: '丙' }),
      campaignPolicy('blocked_dates', { dates: ['2026-02-17'] }, { id: 2, priority: 5, name: '乙' }),
      policy('blocked_dates', { dates: ['2026-02-17'] }, { id: 9, priority: 5, name: '甲' }),
    ];
    const verdict = ask('2026-02-17T10:00', list);
    expect(verdict.matchedPolicies.map(({ name }) => name)).toEqual(['甲', '乙', '丙']);
    expect(verdict.reason).toContain('「甲」');
    expect(verdict.blockedBy).toBe('blocked_date');
  });

  test.each<[string, Partial<Policy>]>([
    ['an unreadable config', { config: { start: '9', end: '18:00' } }],
    ['no config', { config: null }],
    ['an unknown type', { type: 'moon_phase' }],
  ])('%s forbids every dial [D5.3]', (_what, changes) => {
    const broken = policy('daily_window', {}, { name: '坏', ...changes });
    const open = policy('daily_window', { start: '00:00', end: '23:59' }, { id: 2 });
    expect(ask('2026-02-17T10:00', [broken, open]).allowed).toBe(false);
    expect(ask('2026-02-17T23:59', [broken, open])).toMatchObject({
      allowed: false,
      blockedBy: 'outside_window',
      reason: '策略「坏」：策略配置无效，已停止外呼',
      nextAllowedAt: null,
    });
  });
});
