import { describe, expect, test } from '@jest/globals';
import { problem } from '#kernel/problem.ts';
import { MAX_DATES } from '#policies/decisions/policy-kind.ts';
import { POLICY_KINDS, POLICY_TYPES, policyFault, type PolicyType } from '#policies/decisions/policy-table.ts';
import { POLICY_CASES } from '#test/support/policy-cases.ts';

const fault = (type: PolicyType, config: unknown) =>
  policyFault({ type, action: POLICY_KINDS[type].action, scope: 'global', campaignId: null, config });

test('every policy type of the interface has its action [OCS 4.9, D8.2]', () => {
  expect(POLICY_TYPES.map(type => POLICY_KINDS[type].action)).toEqual(Object.values(POLICY_CASES).map(({ action }) => action));
});

test.each(POLICY_TYPES)('the documented config of %s is valid [OCS 4.9]', type =>
  expect(fault(type, POLICY_CASES[type].documented)).toBeNull(),
);

test.each<[PolicyType, object]>([
  ['daily_window', { start: '00:00', end: '24:00' }],
  ['daily_window', { start: '22:00', end: '24:00' }],
  ['weekly_window', { days: [6], start: '09:00', end: '24:00' }],
])('%s may end at midnight: %j [D8.1]', (type, config) => expect(fault(type, config)).toBeNull());

test.each(POLICY_TYPES)('%s refuses an action of another type [D8.2]', type => {
  for (const action of ['block', 'allow_window', 'limit', 'deny'].filter(action => action !== POLICY_KINDS[type].action)) {
    expect(policyFault({ type, action, scope: 'global', campaignId: null, config: POLICY_CASES[type].documented })).toMatchObject({
      field: 'action',
    });
  }
});

test.each(POLICY_TYPES)('%s refuses a config that is not an object [D8.2]', type => {
  for (const config of [null, undefined, [], 'x', 3]) expect(fault(type, config)).toEqual({ field: 'config', problem: problem('object') });
});

test.each<[PolicyType, unknown, string]>([
  ['blocked_dates', {}, 'config.dates'],
  ['blocked_dates', { dates: '2026-02-17' }, 'config.dates'],
  ['blocked_dates', { dates: ['2026-02-17', '2026-02-30'] }, 'config.dates[1]'],
  ['blocked_dates', { dates: [20_260_217] }, 'config.dates[0]'],
  ['blocked_dates', { dates: Array.from({ length: MAX_DATES + 1 }, () => '2026-02-17') }, 'config.dates'],
  ['holiday_blocklist', {}, 'config.dates'],
  ['holiday_blocklist', { recurringDates: ['02-30'] }, 'config.recurringDates[0]'],
  ['holiday_blocklist', { dates: [], workdayOverrides: ['x'] }, 'config.workdayOverrides[0]'],
  ['holiday_blocklist', { dates: [], region: 86 }, 'config.region'],
  ['daily_window', { start: '09:00' }, 'config.end'],
  ['daily_window', { start: '25:00', end: '18:00' }, 'config.start'],
  ['daily_window', { start: '24:00', end: '18:00' }, 'config.start'],
  ['daily_window', { start: '00:00', end: '24:01' }, 'config.end'],
  ['daily_window', { start: 9, end: 18 }, 'config.start'],
  ['daily_window', { start: '09:00', end: '09:00' }, 'config.end'],
  ['weekly_window', { days: [], start: '09:00', end: '18:00' }, 'config.days'],
  ['weekly_window', { days: [1, 8], start: '09:00', end: '18:00' }, 'config.days[1]'],
  ['weekly_window', { days: ['1'], start: '09:00', end: '18:00' }, 'config.days[0]'],
  ['weekly_window', { days: [1.5], start: '09:00', end: '18:00' }, 'config.days[0]'],
  ['phone_blacklist', { numbers: ['138', ' '] }, 'config.numbers[1]'],
  ['phone_blacklist', { numbers: [13_800_138_000] }, 'config.numbers[0]'],
  ['phone_prefix_blocklist', { prefixes: [''] }, 'config.prefixes[0]'],
  ['contact_frequency_limit', { days: 0, maxAttempts: 3 }, 'config.days'],
  ['contact_frequency_limit', { days: 7 }, 'config.maxAttempts'],
  ['contact_frequency_limit', { days: '7', maxAttempts: 3 }, 'config.days'],
  ['rate_limit', { callIntervalMs: 3_600_001 }, 'config.callIntervalMs'],
  ['retry_rule', {}, 'config.maxRetries'],
  ['retry_rule', { maxRetries: 21 }, 'config.maxRetries'],
  ['retry_rule', { retryIntervalSeconds: -1 }, 'config.retryIntervalSeconds'],
  ['concurrency_limit', { maxConcurrency: 0 }, 'config.maxConcurrency'],
])('the fault of %s with %j names %s [D8.2]', (type, config, field) => {
  expect(fault(type, config)).toMatchObject({ field });
});

describe('the policy apart from its config', () => {
  test('a campaign policy needs a campaign [OCS 2.9]', () => {
    const input = { type: 'rate_limit', action: 'limit', scope: 'campaign', campaignId: null, config: POLICY_CASES.rate_limit.documented };
    expect(policyFault(input)).toMatchObject({ field: 'campaignId' });
    expect(policyFault({ ...input, campaignId: 3 })).toBeNull();
  });

  test('the fault of an unknown type or scope names the field [OCS 2.9]', () => {
    expect(policyFault({ type: 'toString', action: 'block', scope: 'global', campaignId: null, config: {} })).toMatchObject({
      field: 'type',
    });
    expect(policyFault({ type: 'rate_limit', action: 'limit', scope: 'line', campaignId: null, config: {} })).toMatchObject({
      field: 'scope',
    });
  });
});
