import { type RawBuilder, sql } from 'kysely';
import { columnsOf, instant } from '#platform/postgres/values.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { CAMPAIGN_DEFAULTS } from '#campaigns/decisions/campaign-states.ts';
import { type Policy, policy } from '#policies/policy.ts';
import type { RuledCampaign } from './decisions/assess.ts';
import { isInCall, numberHolder, recentDialsOf } from './admission.ts';
import type { RecentDial } from './dial-store.ts';

/** Limit of policies read per evaluation; they are written by hand, so there are few. */
const MAX_POLICIES = 10_000;

/** Rules for all dials of a campaign, independent of the number. */
export interface CampaignRules {
  campaign: RuledCampaign;
  /** Enabled policies, global ones and the campaign's own. */
  policies: Policy[];
}

export interface NumberQuestion extends CampaignRules {
  doNotCall: { expiresAt: number | null } | null;
}

/** Stands for no campaign: only global rules apply. */
const PLAIN_CAMPAIGN: RuledCampaign = {
  id: 0,
  ...CAMPAIGN_DEFAULTS,
  workdayStart: null,
  workdayEnd: null,
  scheduledStartAt: null,
  scheduledEndAt: null,
};

/** Everything needed to evaluate a number for a campaign; null when the campaign does not exist. */
export async function readQuestion(db: Sql, campaignId: number, dialKey: string): Promise<NumberQuestion | null> {
  const rules = await readCampaignRules(db, campaignId);
  return rules && { ...rules, doNotCall: await readDoNotCall(db, dialKey) };
}

/** The same without a campaign. */
export async function readCommonQuestion(db: Sql, dialKey: string): Promise<NumberQuestion> {
  return { ...(await readCommonRules(db)), doNotCall: await readDoNotCall(db, dialKey) };
}

/** Null when the campaign does not exist. */
export async function readCampaignRules(db: Sql, campaignId: number): Promise<CampaignRules | null> {
  const campaign = await db.first(sql<RuledCampaign>`
    select id, max_concurrency, max_retries, retry_interval_seconds, call_interval_ms, workday_start, workday_end, scheduled_start_at, scheduled_end_at
    from campaign where id = ${campaignId} and deleted_at is null`);
  return campaign ? { campaign, policies: await readPolicies(db, sql`p.campaign_id is null or p.campaign_id = ${campaignId}`) } : null;
}

/** Rules without a campaign: only global ones. */
export async function readCommonRules(db: Sql): Promise<CampaignRules> {
  return { campaign: PLAIN_CAMPAIGN, policies: await readGlobalPolicies(db) };
}

/** Enabled global policies. */
export function readGlobalPolicies(db: Sql): Promise<Policy[]> {
  return readPolicies(db, sql`p.campaign_id is null`);
}

/** Dial key of a contact's number; '' when the contact is gone. */
export async function readDialKey(db: Sql, contactId: number): Promise<string> {
  const row = await db.first(sql<{ dialKey: string }>`select dial_key from contact where id = ${contactId}`);
  return row?.dialKey ?? '';
}

/** Dials to the number after `since` (UTC ms). */
export function readDialsSince(db: Sql, dialKey: string, since: number): Promise<RecentDial[]> {
  return db.rows(
    sql<RecentDial>`select * from ${recentDialsOf(sql`${dialKey}::text`, sql`${instant(since)}`)} as dial order by dial.at desc`,
  );
}

/** Whether the number is currently in a call. */
export async function readIsInCall(db: Sql, dialKey: string): Promise<boolean> {
  return (await db.first(sql`select 1 where ${isInCall(sql`${dialKey}::text`)}`)) !== undefined;
}

/** Description of the number's current call for users, in Chinese: the name of a campaign or an agent; null when there is no call. */
export async function findNumberHolder(db: Sql, dialKey: string): Promise<string | null> {
  const row = await db.first(sql<{ holder: string }>`select ${numberHolder(sql`${dialKey}::text`)} as holder`);
  return row?.holder ?? null;
}

async function readDoNotCall(db: Sql, dialKey: string): Promise<NumberQuestion['doNotCall']> {
  return (await db.first(sql<{ expiresAt: number | null }>`select expires_at from do_not_call where dial_key = ${dialKey}`)) ?? null;
}

function readPolicies(db: Sql, which: RawBuilder<unknown>): Promise<Policy[]> {
  return db.rows(sql<Policy>`
    select ${columnsOf(policy, 'p')} from policy p where p.is_enabled and (${which}) limit ${MAX_POLICIES}`);
}
