import { type RawBuilder, sql } from 'kysely';
import { effectiveLimits, preparePolicies } from '#policies/decisions/evaluate.ts';
import { ANY_REGION } from '#phone-numbers/dial-key.ts';
import type { Policy, PolicyLimits } from '#policies/decisions/policy-kind.ts';

export type RetryLimits = Pick<PolicyLimits, 'maxRetries' | 'retryIntervalSeconds'> & {
  retryAnsweredWithoutResult: boolean;
  retryUnknown: boolean;
};

type CampaignLimits = PolicyLimits & RetryLimits & { id: number };

/** Input of `retryLimits`. */
export interface LimitsRow {
  campaigns: CampaignLimits[];
  policies: Policy[];
}

/**
 * Retry settings of the campaigns: the stricter of each campaign and the policies that apply to it.
 *
 * Source: D5.5, D8.3
 */
export function retryLimits([row]: readonly LimitsRow[]): (campaignId: number) => RetryLimits {
  const limits = new Map<number, RetryLimits>();
  for (const campaign of row?.campaigns ?? []) {
    const { id, retryAnsweredWithoutResult, retryUnknown } = campaign;
    limits.set(id, {
      ...effectiveLimits(campaign, preparePolicies(row?.policies ?? [], id, ANY_REGION)),
      retryAnsweredWithoutResult,
      retryUnknown,
    });
  }
  return campaignId => {
    const found = limits.get(campaignId);
    if (!found) throw new Error(`no limits were read for campaign ${campaignId}`);
    return found;
  };
}

/** One row about the campaigns whose ids the sub-select `campaignIds` yields. */
export function limitsQuery(campaignIds: RawBuilder<unknown>): RawBuilder<LimitsRow> {
  return sql<LimitsRow>`
    with asked (campaign_id) as materialized (${campaignIds})
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'maxConcurrency', max_concurrency, 'maxRetries', max_retries,
         'retryIntervalSeconds', retry_interval_seconds, 'callIntervalMs', call_interval_ms,
         'retryAnsweredWithoutResult', retry_answered_without_result, 'retryUnknown', retry_unknown)), '[]')
       from campaign where id in (select campaign_id from asked)) as campaigns,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'scope', scope, 'campaignId', campaign_id, 'type', type,
         'action', action, 'priority', priority, 'config', config, 'isEnabled', 1)), '[]')
       from policy where is_enabled and type = 'retry_rule' and (scope = 'global' or campaign_id in (select campaign_id from asked))) as policies`;
}
