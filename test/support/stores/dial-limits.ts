import type { RetryLimits } from '#outcomes/settle.ts';
import { effectiveLimits, preparePolicies } from '#policies/decisions/evaluate.ts';
import type { DialTables } from './dial-tables.ts';

/** Mirrors outcomes/retry-limits.ts: the strictest limits of the campaign and of the policies that apply to it. */
export function retryLimits(tables: DialTables, campaignId: number): RetryLimits {
  const campaign = tables.campaigns.get(campaignId);
  if (!campaign) throw new Error(`no campaign ${campaignId}`);
  const rules = [...tables.policies.values()].filter(policy => policy.isEnabled && policy.type === 'retry_rule');
  const { retryAnsweredWithoutResult, retryUnknown } = campaign;
  const limits = rules.length === 0 ? campaign : effectiveLimits(campaign, preparePolicies(rules, campaignId, 'CN'));
  const { maxRetries, retryIntervalSeconds } = limits;
  return { maxRetries, retryIntervalSeconds, retryAnsweredWithoutResult, retryUnknown };
}
