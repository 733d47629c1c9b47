import { type RawBuilder, sql } from 'kysely';
import { columnsOf } from '#adapters/postgres/columns-of.ts';
import type { Sql } from '#adapters/postgres/database.ts';
import { instant } from '#adapters/postgres/values.ts';
import { type Policy, policy } from '#model/policy.ts';
import type { RecentDial } from '#ports/dial-store.ts';
import type { RuledCampaign } from '../decisions/assess.ts';
import { recentDialsOf } from './admission.ts';

/** Policies that one question reads; people write them by hand. */
const MAX_POLICIES = 10_000;

export interface NumberQuestion {
  campaign: RuledCampaign;
  /** Enabled ones, global and of the campaign. */
  policies: Policy[];
  doNotCall: { expiresAt: number | null } | null;
}

/** All that evaluating one number for one campaign reads; null when the campaign does not exist. */
export async function readQuestion(db: Sql, campaignId: number, dialKey: string): Promise<NumberQuestion | null> {
  const campaign = await db.first(sql<RuledCampaign>`
    select id, max_concurrency, max_retries, retry_interval_seconds, call_interval_ms, workday_start, workday_end, scheduled_start_at, scheduled_end_at
    from campaign where id = ${campaignId} and deleted_at is null`);
  if (!campaign) return null;
  const policies = await readPolicies(db, sql`p.campaign_id is null or p.campaign_id = ${campaignId}`);
  const doNotCall = await db.first(sql<{ expiresAt: number | null }>`select expires_at from do_not_call where dial_key = ${dialKey}`);
  return { campaign, policies, doNotCall: doNotCall ?? null };
}

/** Enabled policies of all campaigns. */
export function readGlobalPolicies(db: Sql): Promise<Policy[]> {
  return readPolicies(db, sql`p.campaign_id is null`);
}

/** Dials to the number after `since` (UTC ms). */
export function readDialsSince(db: Sql, dialKey: string, since: number): Promise<RecentDial[]> {
  return db.rows(
    sql<RecentDial>`select * from ${recentDialsOf(sql`${dialKey}::text`, sql`${instant(since)}`)} as dial order by dial.at desc`,
  );
}

function readPolicies(db: Sql, which: RawBuilder<unknown>): Promise<Policy[]> {
  return db.rows(sql<Policy>`
    select ${columnsOf(policy, 'p')} from policy p where p.is_enabled and (${which}) limit ${MAX_POLICIES}`);
}
