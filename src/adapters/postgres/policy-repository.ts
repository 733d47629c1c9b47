import { sql } from 'kysely';
import type { PolicyFields, PolicyQuestion, PolicyStore, PolicyUpdate } from '#ports/policy-store.ts';
import type { Policy } from '#ports/records.ts';
import { awaitClaims } from '#dialling/postgres/claim-barrier.ts';
import { type HoldFilter, releaseHolds } from '#dialling/postgres/contact-holds.ts';
import type { RecentDial } from '#ports/dial-store.ts';
import type { Database, Sql } from './database.ts';
import { recentDialsOf } from '#dialling/postgres/admission.ts';
import { instant, json } from './values.ts';

const COLUMNS = sql`
  p.id, p.name, p.scope, p.campaign_id as "campaignId", p.type, p.action, p.priority, p.config, p.is_enabled as "isEnabled",
  p.created_at as "createdAt", p.updated_at as "updatedAt"`;

/** Policies in one answer; people write them by hand. */
const MAX_LISTED = 10_000;

/** What a policy can hold a contact back for (rules/skip-reason.ts); a retry rule exhausts attempts and lengthens waits. */
const HELD_BY_POLICIES = ['blacklist', 'frequency_cap', 'blocked_date', 'outside_window', 'attempts_exhausted', 'retry_wait'];

export function policyRepository(db: Database): PolicyStore {
  return {
    list: campaignId =>
      db.rows(sql<Policy>`
        select ${COLUMNS} from policy p where ${campaignId === null ? sql`true` : sql`p.campaign_id = ${campaignId}`}
        order by p.priority desc, p.id desc limit ${MAX_LISTED}`),
    create: fields => db.transaction(inside => createPolicy(inside, fields)),
    update: (policyId, change) => db.transaction(inside => updatePolicy(inside, policyId, change)),
    remove: policyId => db.transaction(inside => removePolicy(inside, policyId)),
    loadQuestion: (campaignId, dialKey) => loadQuestion(db, campaignId, dialKey),
    recentDials: (dialKey, since) =>
      db.rows(sql<RecentDial>`select * from ${recentDialsOf(sql`${dialKey}::text`, sql`${instant(since)}`)} as dial order by dial.at desc`),
  };
}

async function createPolicy(inside: Sql, fields: PolicyFields): Promise<Policy | 'no_campaign'> {
  if (!(await hasCampaign(inside, fields.campaignId))) return 'no_campaign';
  const row = await releasingHolds(inside, [fields.campaignId], () =>
    inside.first(sql<Policy>`
    insert into policy as p (name, scope, campaign_id, type, action, priority, config, is_enabled)
    values (${fields.name}, ${fields.scope}, ${fields.campaignId}, ${fields.type}, ${fields.action}, ${fields.priority},
            ${json(fields.config)}, ${fields.isEnabled})
    returning ${COLUMNS}`),
  );
  if (!row) throw new Error('an insert returned no row');
  return row;
}

async function updatePolicy(
  inside: Sql,
  policyId: number,
  change: (current: Policy) => PolicyFields,
): Promise<PolicyUpdate | 'no_campaign' | null> {
  const before = await inside.first(sql<Policy>`select ${COLUMNS} from policy p where p.id = ${policyId} for update`);
  if (!before) return null;
  const fields = change(before);
  if (fields.campaignId !== before.campaignId && !(await hasCampaign(inside, fields.campaignId))) return 'no_campaign';
  const after = await releasingHolds(inside, [before.campaignId, fields.campaignId], () =>
    inside.first(sql<Policy>`
    update policy p set name = ${fields.name}, scope = ${fields.scope}, campaign_id = ${fields.campaignId}, type = ${fields.type},
      action = ${fields.action}, priority = ${fields.priority}, config = ${json(fields.config)}, is_enabled = ${fields.isEnabled}
    where p.id = ${policyId} returning ${COLUMNS}`),
  );
  if (!after) throw new Error('a locked policy vanished');
  return { before, after };
}

async function removePolicy(inside: Sql, policyId: number): Promise<Policy | null> {
  const found = await inside.first(sql<Policy>`select ${COLUMNS} from policy p where p.id = ${policyId} for update`);
  if (!found) return null;
  await releasingHolds(inside, [found.campaignId], () => inside.run(sql`delete from policy where id = ${policyId}`));
  return found;
}

/**
 * Writes a policy and gives the contacts that policies hold back to the next claim, which decides anew.
 *
 * Why: most holds end before the write, so that claims wait for the second, short look only
 */
async function releasingHolds<T>(inside: Sql, scopes: readonly (number | null)[], write: () => Promise<T>): Promise<T> {
  const campaignIds = scopes.filter(scope => scope !== null);
  const everywhere = campaignIds.length < scopes.length;
  const filters: HoldFilter[] = everywhere
    ? [{ reasons: HELD_BY_POLICIES }]
    : [...new Set(campaignIds)].map(campaignId => ({ reasons: HELD_BY_POLICIES, campaignId }));
  for (const filter of filters) await releaseHolds(inside, filter);
  const written = await write();
  await awaitClaims(inside, everywhere ? null : campaignIds);
  for (const filter of filters) await releaseHolds(inside, filter);
  return written;
}

/** A campaign that is being deleted meanwhile waits for this transaction. */
async function hasCampaign(inside: Sql, campaignId: number | null): Promise<boolean> {
  if (campaignId === null) return true;
  const found = await inside.first(sql`select id from campaign where id = ${campaignId} and deleted_at is null for share`);
  return found !== undefined;
}

async function loadQuestion(db: Sql, campaignId: number, dialKey: string): Promise<PolicyQuestion | null> {
  const campaign = await db.first(sql<PolicyQuestion['campaign']>`
    select id, max_concurrency as "maxConcurrency", max_retries as "maxRetries", retry_interval_seconds as "retryIntervalSeconds",
           call_interval_ms as "callIntervalMs", workday_start as "workdayStart", workday_end as "workdayEnd",
           scheduled_start_at as "scheduledStartAt", scheduled_end_at as "scheduledEndAt"
    from campaign where id = ${campaignId} and deleted_at is null`);
  if (!campaign) return null;
  const policies = await db.rows(sql<Policy>`
    select ${COLUMNS} from policy p where p.is_enabled and (p.campaign_id is null or p.campaign_id = ${campaignId}) limit ${MAX_LISTED}`);
  const doNotCall = await db.first(sql<{ expiresAt: number | null }>`
    select expires_at as "expiresAt" from do_not_call where dial_key = ${dialKey}`);
  return { campaign, policies, doNotCall: doNotCall ?? null };
}
