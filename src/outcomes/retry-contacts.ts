import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { beginWithFirstNumber } from '#contacts/contact-number-statements.ts';
import type { ContactStatus } from '#contacts/contact.ts';
import type { Caller } from '#kernel/caller.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { type BulkResult, leftOf } from '#platform/postgres/bulk-result.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';

/** Contacts reset per transaction: keeps locks short and statements far from their time-out, however many match. */
const CHUNK = 5_000;

/** Statuses that a retry can reset. */
type RetryableStatus = Exclude<ContactStatus, 'pending'>;

/** Exactly one of the two. */
type RetrySelection = { status: RetryableStatus } | { contactIds: readonly number[] };

/** `affectedIds` is filled when contacts were named. */
type RetryOutcome =
  | { kind: 'retried'; requested: number; affected: number; affectedIds: readonly number[] }
  | { kind: 'not_found' }
  | { kind: 'archived' };

/**
 * Makes matching contacts `pending`, with a new attempt count and without a hold; contacts with an open attempt are unchanged.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: OCS 4.8, D5.5
 */
async function resetContacts(db: Database, campaignId: number, selection: RetrySelection): Promise<RetryOutcome> {
  const refusal = await refusalOf(db, campaignId);
  if (refusal) return refusal;
  return 'status' in selection ? retryByStatus(db, campaignId, selection.status) : retryByIds(db, campaignId, selection.contactIds);
}

async function refusalOf(db: Sql, campaignId: number): Promise<RetryOutcome | null> {
  const campaign = await db.first(sql<{ status: string }>`select status from campaign where id = ${campaignId} and deleted_at is null`);
  if (!campaign) return { kind: 'not_found' };
  return campaign.status === 'archived' ? { kind: 'archived' } : null;
}

/** Walks down the ids once, so that it ends even if contacts change meanwhile. */
async function retryByStatus(db: Database, campaignId: number, status: RetryableStatus): Promise<RetryOutcome> {
  const outcome = { kind: 'retried' as const, requested: 0, affected: 0, affectedIds: [] };
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const chunk = await db.transaction(inside =>
      resetChunk(inside, sql`campaign_id = ${campaignId} and status = ${status} and id < ${below} order by id desc limit ${CHUNK}`),
    );
    if (chunk.lowestId === null) return outcome;
    below = chunk.lowestId;
    outcome.requested += chunk.matched;
    outcome.affected += chunk.affectedIds.length;
  }
}

async function retryByIds(db: Database, campaignId: number, contactIds: readonly number[]): Promise<RetryOutcome> {
  const affectedIds: number[] = [];
  const distinct = [...new Set(contactIds)].sort((a, b) => a - b);
  for (let from = 0; from < distinct.length; from += CHUNK) {
    const chunk = ids(distinct.slice(from, from + CHUNK));
    const reset = await db.transaction(inside =>
      resetChunk(inside, sql`campaign_id = ${campaignId} and id = any(${chunk}) and status <> 'pending' order by id desc`),
    );
    affectedIds.push(...reset.affectedIds);
  }
  return { kind: 'retried', requested: contactIds.length, affected: affectedIds.length, affectedIds };
}

/**
 * Also ends a hold, whose reason may have been the old count; the next claim decides again. A dial whose latest instant has passed stays as it is.
 *
 * Why: locks first and checks for open attempts in a separate statement, in order to see a claim that was in progress
 */
async function resetChunk(
  inside: Sql,
  which: RawBuilder<unknown>,
): Promise<{ matched: number; affectedIds: readonly number[]; lowestId: number | null }> {
  const locked = await inside.rows(sql<{ id: number }>`select id from contact where deleted_at is null and ${which} for no key update`);
  const found = locked.map(({ id }) => id);
  if (found.length === 0) return { matched: 0, affectedIds: [], lowestId: null };
  const reset = await inside.rows(sql<{ id: number }>`
    update contact c set status = 'pending', attempt_count = 0, silent_repeats = 0, outcome_counts = '{}', parts_tried = 0, mailbox_text = null, retry_at = null,
      hold_reason = case when c.callback_at > now() then 'callback' end, hold_until = case when c.callback_at > now() then c.callback_at end
    where c.id = any(${ids(found)}) and (c.not_after is null or c.not_after > now() or c.callback_at is not null) and not exists (
      select 1 from attempt a where a.contact_id = c.id and ${OPEN})
    returning c.id`);
  for (const statement of beginWithFirstNumber(reset.map(({ id }) => id))) await inside.run(statement);
  return { matched: found.length, affectedIds: reset.map(({ id }) => id), lowestId: Math.min(...found) };
}

/**
 * Makes matching contacts `pending` again, as if never dialled. Contacts with an open attempt are skipped.
 *
 * Shape:  `requested` = `affected` + `skipped`; with a status, `requested` counts all contacts in it
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED
 * Source: OCS §3 "Contact status", 4.8, D5.2, D5.5
 */
export async function retryContacts(
  app: AuditPart & Pick<Platform, 'db' | 'wake'>,
  caller: Caller,
  campaignId: number,
  selection: RetrySelection,
): Promise<BulkResult> {
  const outcome = await resetContacts(app.db, campaignId, selection);
  if (outcome.kind === 'not_found') throw notFound('活动');
  if (outcome.kind === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能重试联系人');
  const { requested, affected, affectedIds } = outcome;
  const counts = { requested, affected, skipped: requested - affected };
  const named = 'contactIds' in selection ? selection.contactIds : [];
  const result = { ...counts, left: leftOf('contact', campaignId, named, affectedIds) };
  if (affected === 0) return result;
  await audit(app, caller, {
    action: 'contact.retried',
    targetType: 'campaign',
    targetId: campaignId,
    summary: `重试 ${affected} 个联系人`,
    detail: { ...counts, status: 'status' in selection ? selection.status : null },
  });
  app.wake.campaign(campaignId);
  return result;
}
