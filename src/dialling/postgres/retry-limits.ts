import { type RawBuilder, sql } from 'kysely';
import { effectiveLimits } from '#rules/policies/effective-limits.ts';
import type { Policy, PolicyLimits } from '#rules/policies/policy.ts';
import { preparePolicies } from '#rules/policies/prepare-policies.ts';
import type { Sql } from '#adapters/postgres/database.ts';
import { ids } from '#adapters/postgres/values.ts';

export type RetryLimits = Pick<PolicyLimits, 'maxRetries' | 'retryIntervalSeconds'> & { retryAnsweredWithoutResult: boolean };

type CampaignLimits = PolicyLimits & { id: number; retryAnsweredWithoutResult: boolean };

/**
 * How often and when the campaigns' contacts are dialled again: the stricter of each campaign and the policies that bind it.
 *
 * Source: D5.5, D8.3
 */
export async function retryLimits(tx: Sql, campaignIds: readonly number[]): Promise<(campaignId: number) => RetryLimits> {
  const [row] = await tx.rows(limitsQuery(campaignIds));
  const limits = new Map<number, RetryLimits>();
  for (const campaign of row?.campaigns ?? []) {
    const { id, retryAnsweredWithoutResult } = campaign;
    limits.set(id, { ...effectiveLimits(campaign, preparePolicies(row?.policies ?? [], id)), retryAnsweredWithoutResult });
  }
  return campaignId => {
    const found = limits.get(campaignId);
    if (!found) throw new Error(`no limits were read for campaign ${campaignId}`);
    return found;
  };
}

function limitsQuery(campaignIds: readonly number[]): RawBuilder<{ campaigns: CampaignLimits[]; policies: Policy[] }> {
  return sql<{ campaigns: CampaignLimits[]; policies: Policy[] }>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'maxConcurrency', max_concurrency, 'maxRetries', max_retries,
         'retryIntervalSeconds', retry_interval_seconds, 'callIntervalMs', call_interval_ms,
         'retryAnsweredWithoutResult', retry_answered_without_result)), '[]')
       from campaign where id = any(${ids(campaignIds)})) as campaigns,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'scope', scope, 'campaignId', campaign_id, 'type', type,
         'action', action, 'priority', priority, 'config', config, 'isEnabled', 1)), '[]')
       from policy where is_enabled and type = 'retry_rule' and (scope = 'global' or campaign_id = any(${ids(campaignIds)}))) as policies`;
}
