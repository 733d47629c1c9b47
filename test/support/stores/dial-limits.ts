import type { RetryLimits } from '#outcomes/retry-limits.ts';
import { effectiveLimits } from '#policies/decisions/evaluate.ts';
import { underRules } from '#outcomes/decisions/outcome-rules.ts';
import { ownHours, prepareWindow } from '#policies/decisions/calling-window.ts';
import type { DialTables } from './dial-tables.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

/** Mirrors outcomes/retry-limits.ts: the strictest limits of the campaign and of the policies that apply to it. */
export function retryLimits(tables: DialTables, campaignId: number): RetryLimits {
  const campaign = tables.campaigns.get(campaignId);
  if (!campaign) throw new Error(`no campaign ${campaignId}`);
  const policies = [...tables.policies.values()].filter(policy => policy.isEnabled && policy.type === 'retry_rule');
  const { retryAnsweredWithoutResult, retryUnknown } = campaign;
  const rules = tables.outcomeRules.get(campaignId);
  const ruled = rules ? { id: 1, rules, open: ownHours(prepareWindow(campaign)) } : null;
  const own = underRules(campaign, rules ?? null);
  const limits = policies.length === 0 ? own : effectiveLimits(own, preparePolicies(policies, campaignId, 'CN'));
  const { maxRetries, retryIntervalSeconds } = limits;
  return { ruled, zone: 'Asia/Shanghai', maxRetries, retryIntervalSeconds, retryAnsweredWithoutResult, retryUnknown };
}
