import { describe, expect, test } from '@jest/globals';
import type { Policy } from '#policies/decisions/policy-kind.ts';
import type { PolicyType } from '#policies/decisions/policy-table.ts';
import { POLICY_KINDS } from '#policies/decisions/policy-table.ts';
import { findPack, policiesOf } from '#policies/decisions/rule-packs.ts';
import { conflictsOf } from '#rule-packs/decisions/conflicts.ts';

const CHINA = policiesOf(findPack('cn') ?? { id: '', name: { zh: '', en: '' }, note: { zh: '', en: '' }, rules: [] }, {});

function policy(type: PolicyType, config: object, changes: Partial<Policy> = {}): Policy {
  const { action } = POLICY_KINDS[type];
  return { id: 1, name: type, scope: 'global', campaignId: null, type, action, priority: 0, config, isEnabled: true, ...changes };
}

const winners = (...policies: Policy[]) =>
  conflictsOf(CHINA, policies, 'CN').map(({ ruleId, policyId, winner }) => `${ruleId} ${policyId} ${winner}`);

describe('a pack beside the policies of users [D8.11]', () => {
  test.each([
    ['09:00', '18:00', ['cn/calling-hours 1 policy']],
    ['07:00', '22:00', ['cn/calling-hours 1 rule']],
    ['07:00', '20:00', ['cn/calling-hours 1 both']],
    ['21:00', '23:00', ['cn/calling-hours 1 nobody']],
    ['08:00', '21:00', []],
  ])('a window %s to %s: the stricter holds', (start, end, expected) => {
    expect(winners(policy('daily_window', { start, end }))).toEqual(expected);
  });

  test('windows of one scope are compared together, since any of them suffices', () => {
    const morning = policy('daily_window', { start: '05:00', end: '07:00' });
    const day = policy('daily_window', { start: '09:00', end: '12:00' }, { id: 2 });
    expect(winners(morning, day)).toEqual(['cn/calling-hours 1 both', 'cn/calling-hours 2 both']);
  });

  test.each([
    [1, 2, 'policy'],
    [7, 3, 'policy'],
    [1, 9, 'rule'],
    [7, 9, 'both'],
  ])('a limit of %s days and %s dials', (days, maxAttempts, winner) => {
    expect(winners(policy('contact_frequency_limit', { days, maxAttempts }))).toEqual([`cn/calls-per-day 1 ${winner}`]);
  });

  test('leaves out disabled policies and those of packs', () => {
    const late = { start: '21:00', end: '23:00' };
    expect(
      winners(policy('daily_window', late, { isEnabled: false }), policy('daily_window', late, { ruleId: 'us/calling-hours' })),
    ).toEqual([]);
  });
});
