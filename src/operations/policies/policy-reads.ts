import { sql } from 'kysely';
import { columnsOf } from '#adapters/postgres/columns-of.ts';
import type { Database, Sql } from '#adapters/postgres/database.ts';
import { instant } from '#adapters/postgres/values.ts';
import { recentDialsOf } from '#dialling/postgres/admission.ts';
import { listPolicies } from '#management/policies.ts';
import { type Policy, policy } from '#model/policy.ts';
import type { RecentDial } from '#ports/dial-store.ts';
import type { Campaign } from '#model/campaign.ts';

/** Policies that one question reads; people write them by hand. */
const MAX_POLICIES = 10_000;

export interface PolicyQuestion {
  campaign: Pick<
    Campaign,
    | 'id'
    | 'maxConcurrency'
    | 'maxRetries'
    | 'retryIntervalSeconds'
    | 'callIntervalMs'
    | 'workdayStart'
    | 'workdayEnd'
    | 'scheduledStartAt'
    | 'scheduledEndAt'
  >;
  /** Enabled ones, global and of the campaign. */
  policies: Policy[];
  doNotCall: { expiresAt: number | null } | null;
}

/** What decisions about one number read of policies. */
export type PolicyReads = ReturnType<typeof policyReads>;

export function policyReads(db: Database) {
  return {
    list: (campaignId: number | null) => listPolicies({ db }, campaignId),
    /** All that evaluating one number for one campaign reads; null when the campaign does not exist. */
    loadQuestion: (campaignId: number, dialKey: string) => loadQuestion(db, campaignId, dialKey),
    /** Dials to the number after `since` (UTC ms). */
    recentDials: (dialKey: string, since: number) =>
      db.rows(sql<RecentDial>`select * from ${recentDialsOf(sql`${dialKey}::text`, sql`${instant(since)}`)} as dial order by dial.at desc`),
  };
}

async function loadQuestion(db: Sql, campaignId: number, dialKey: string): Promise<PolicyQuestion | null> {
  const campaign = await db.first(sql<PolicyQuestion['campaign']>`
    select id, max_concurrency as "maxConcurrency", max_retries as "maxRetries", retry_interval_seconds as "retryIntervalSeconds",
           call_interval_ms as "callIntervalMs", workday_start as "workdayStart", workday_end as "workdayEnd",
           scheduled_start_at as "scheduledStartAt", scheduled_end_at as "scheduledEndAt"
    from campaign where id = ${campaignId} and deleted_at is null`);
  if (!campaign) return null;
  const policies = await db.rows(sql<Policy>`
    select ${columnsOf(policy, 'p')} from policy p where p.is_enabled and (p.campaign_id is null or p.campaign_id = ${campaignId}) limit ${MAX_POLICIES}`);
  const doNotCall = await db.first(sql<{ expiresAt: number | null }>`
    select expires_at as "expiresAt" from do_not_call where dial_key = ${dialKey}`);
  return { campaign, policies, doNotCall: doNotCall ?? null };
}
