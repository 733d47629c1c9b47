import { firstOpenAt } from '#policies/decisions/week-schedule.ts';
import { evaluatePolicies, numberFreeAt, type NumberQuestion } from '#policies/decisions/evaluate.ts';
import type { Policy, PolicyLimits } from '#policies/decisions/policy-kind.ts';
import { POLICY_KINDS, type PolicyType } from '#policies/decisions/policy-table.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

export const CAMPAIGN_ID = 7;

export const LIMITS: PolicyLimits = { maxConcurrency: 10, maxRetries: 3, retryIntervalSeconds: 300, callIntervalMs: 1_000 };

/** An enabled global policy of the given type. */
export function policy(type: PolicyType, config: unknown, changes: Partial<Policy> = {}): Policy {
  const { action } = POLICY_KINDS[type];
  return { id: 1, name: `${type} 策略`, scope: 'global', campaignId: null, type, action, priority: 0, config, isEnabled: 1, ...changes };
}

/** Like `policy`, but of campaign scope. */
export function campaignPolicy(type: PolicyType, config: unknown, changes: Partial<Policy> = {}): Policy {
  return policy(type, config, { id: 2, scope: 'campaign', campaignId: CAMPAIGN_ID, ...changes });
}

export function prepared(...policies: Policy[]): ReturnType<typeof preparePolicies<Policy>> {
  return preparePolicies(policies, CAMPAIGN_ID, 'CN');
}

/** When waiting makes the refused number eligible; null when it is allowed now or never will be. */
export function eligibleAt(question: NumberQuestion): number | null {
  const freeAt = evaluatePolicies(question).allowed ? null : numberFreeAt(question);
  return freeAt === null ? null : firstOpenAt(question.policies.hours, question.zones, freeAt);
}
