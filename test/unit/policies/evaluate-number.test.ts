import { describe, expect, test } from '@jest/globals';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { evaluatePolicies, type RecentAttempts } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import { DAY, HOUR, local, SHANGHAI } from '#test/support/zones.ts';
import { campaignPolicy, eligibleAt, LIMITS, policy, prepared } from './builders.ts';

const AT = local(SHANGHAI, '2026-02-17T10:00');

function ask(phoneNumber: string, policies: Policy[], recentAttempts: RecentAttempts = () => [], at = AT) {
  const question = {
    policies: prepared(...policies),
    campaign: LIMITS,
    at,
    zones: [SHANGHAI],
    dialKey: dialKey(phoneNumber, 'CN'),
    recentAttempts,
  };
  return { ...evaluatePolicies(question), nextEligibleAt: eligibleAt(question) };
}

describe('blacklist', () => {
  const list = policy('phone_blacklist', { numbers: ['+86 138-0013-8000'] });

  test.each(['13800138000', '0086 13800138000', '138 0013 8000'])('blocks %s in every spelling [D8.7]', number => {
    expect(ask(number, [list])).toMatchObject({ allowed: false, blockedBy: 'blacklist', matchedPolicies: [list], nextEligibleAt: null });
  });

  test('neither blocks nor matches another number', () => {
    expect(ask('13800138001', [list])).toMatchObject({ allowed: true, reason: null, matchedPolicies: [], nextEligibleAt: null });
  });
});

describe('prefix block list', () => {
  test.each([
    ['170', '17012345678', false],
    ['170', '+8617012345678', false],
    ['170', '1701', false],
    ['170', '17', true],
    ['170', '13917012345', true],
    ['+86170', '17012345678', false],
    ['+852', '+85261234567', false],
    ['+852', '0085261234567', false],
    ['0', '01065529988', false],
    ['+86', '008613800138000', false],
    ['+86', '13800138000', false],
    ['0138', '13800138000', false],
    ['0', '13800138000', true],
    ['021', '+862161234567', false],
    ['0086138', '013800138000', false],
    ['00', '13800138000', true],
    ['00', '+12125550100', false],
    ['1', '+12125550100', true],
  ])('prefix %s and number %s: allowed %j [OCS 4.9]', (prefix, number, allowed) => {
    expect(ask(number, [policy('phone_prefix_blocklist', { prefixes: [prefix, '99999'] })]).allowed).toBe(allowed);
  });
});

describe('frequency', () => {
  const limit = policy('contact_frequency_limit', { days: 7, maxAttempts: 2 });

  test('counts the dials of the last N × 24 h [D8.4]', () => {
    const dials = [AT - 7 * DAY, AT - 6 * DAY];
    expect(ask('138', [limit], () => dials).allowed).toBe(true);
    expect(ask('138', [limit], () => [AT - 7 * DAY + 1, AT - 6 * DAY])).toMatchObject({
      allowed: false,
      blockedBy: 'frequency_cap',
      reason: expect.stringContaining('7 天内最多联系 2 次'),
      nextEligibleAt: AT + 1,
    });
  });

  test('allows again once enough dials are out of the period, in any order of dials [D8.4]', () => {
    const dials = [AT - HOUR, AT - 3 * DAY, AT - 2 * DAY];
    expect(ask('138', [limit], () => dials).nextEligibleAt).toBe(AT + 5 * DAY);
    expect(ask('138', [limit], () => dials, AT + 5 * DAY).allowed).toBe(true);
    expect(ask('138', [limit], () => dials, AT + 5 * DAY - 1).allowed).toBe(false);
  });

  test('a global policy counts across campaigns, a campaign policy only its own [D8.4]', () => {
    const dials: RecentAttempts = scope => (scope === 'global' ? [AT - 1, AT - 2] : [AT - 1]);
    expect(ask('138', [limit], dials).allowed).toBe(false);
    expect(ask('138', [campaignPolicy('contact_frequency_limit', { days: 7, maxAttempts: 2 })], dials).allowed).toBe(true);
  });

  test('then waits for the next window', () => {
    const office = policy('daily_window', { start: '09:00', end: '10:30' }, { id: 3 });
    const dials = [AT - 7 * DAY + HOUR, AT - HOUR];
    expect(ask('138', [limit, office], () => dials).nextEligibleAt).toBe(local(SHANGHAI, '2026-02-18T09:00'));
  });

  test('gives the number of days for which dials must be read', () => {
    expect(prepared().frequencyDays).toBe(0);
    expect(prepared(limit, campaignPolicy('contact_frequency_limit', { days: 30, maxAttempts: 9 })).frequencyDays).toBe(30);
  });
});

test('the next eligible time satisfies every policy; a listed number has none [D8.3]', () => {
  const night = policy('daily_window', { start: '20:00', end: '22:00' });
  const list = policy('phone_blacklist', { numbers: ['138'] }, { id: 2 });
  expect(ask('139', [night, list])).toMatchObject({ allowed: false, nextEligibleAt: local(SHANGHAI, '2026-02-17T20:00') });
  expect(ask('138', [night, list])).toMatchObject({ allowed: false, matchedPolicies: [night, list], nextEligibleAt: null });
});
