import { type RawBuilder, sql } from 'kysely';
import type { DialCandidate } from '#ports/dial-store.ts';
import type { CallStatus } from '#ports/records.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Sql } from '#adapters/postgres/database.ts';
import { REFUSED } from './refused-attempt.ts';
import { SOFTPHONE_OPEN } from '#adapters/postgres/softphone-columns.ts';
import { OPEN } from '#adapters/postgres/open-attempt.ts';
import { ids, instant } from '#adapters/postgres/values.ts';

/** A locked contact with the facts that the admission rules ask. */
export interface CandidateRow {
  contactId: number;
  phoneNumber: string;
  dialKey: string;
  customerName: string;
  metadata: JsonObject;
  attemptCount: number;
  lastEndedAt: number | null;
  lastCallerNumber: string | null;
  /** Of the contact's last attempt that was not taken back. */
  previousRequestId: string | null;
  isListed: boolean;
  listedUntil: number | null;
}

/** Contacts sorted by what the admission rules said. */
export interface Verdicts {
  admitted: CandidateRow[];
  held: { contactId: number; reason: string; until: number | null }[];
  failed: { row: CandidateRow; callStatus: CallStatus }[];
}

export interface CandidateQuery {
  campaignId: number;
  /** UTC ms, by the database. */
  at: number;
  limit: number;
  /** Contacts already looked at in this claim. */
  seen: readonly number[];
}

/**
 * Locks the next contacts to dial: due retries first, then by priority, then by id; those that another transaction holds are left out.
 *
 * Source: D5.5, A6 step 3
 */
export async function lockCandidates(tx: Sql, query: CandidateQuery): Promise<CandidateRow[]> {
  const retries = await tx.rows(
    candidates(query, sql`c.status = 'failed' and c.retry_at is not null and c.retry_at <= ${instant(query.at)}`, sql`c.retry_at, c.id`),
  );
  const limit = query.limit - retries.length;
  if (limit <= 0) return retries;
  const pending = await tx.rows(candidates({ ...query, limit }, sql`c.status = 'pending'`, sql`c.priority desc, c.id`));
  return [...retries, ...pending];
}

function candidates(query: CandidateQuery, isDue: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<CandidateRow> {
  return sql<CandidateRow>`
    with picked as materialized (
      select c.id, c.phone_number, c.dial_key, c.customer_name, c.metadata, c.attempt_count, c.last_caller_number, c.last_attempt_id, c.priority, c.retry_at
      from contact c
      where c.campaign_id = ${query.campaignId} and ${isDue} and c.hold_reason is null and c.deleted_at is null
        and c.id <> all(${ids(query.seen)}) and not exists (select 1 from attempt a where a.contact_id = c.id and ${OPEN})
        and not exists (select 1 from softphone_call s where s.contact_id = c.id and s.direction <> 'conference' and ${SOFTPHONE_OPEN})
      order by ${order} limit ${query.limit} for no key update of c skip locked)
    select c.id as "contactId", c.phone_number as "phoneNumber", c.dial_key as "dialKey", c.customer_name as "customerName", c.metadata,
      c.attempt_count as "attemptCount", c.last_caller_number as "lastCallerNumber",
      (select a.request_id from attempt a where a.contact_id = c.id and (a.accepted_at is not null or a.status = 'outcome_unknown')
       order by a.id desc limit 1) as "previousRequestId",
      (select a.ended_at from attempt a where a.contact_id = c.id and a.status <> 'cancelled' and not ${REFUSED}
       order by a.id desc limit 1) as "lastEndedAt",
      d.id is not null as "isListed", d.expires_at as "listedUntil"
    from picked c left join do_not_call d on d.dial_key = c.dial_key
    order by ${order}`;
}

export function asCandidate(row: CandidateRow, recentDials: DialCandidate['recentDials']): DialCandidate {
  return {
    contactId: row.contactId,
    phoneNumber: row.phoneNumber,
    dialKey: row.dialKey,
    attemptCount: row.attemptCount,
    lastEndedAt: row.lastEndedAt,
    lastCallerNumber: row.lastCallerNumber,
    doNotCall: row.isListed ? { expiresAt: row.listedUntil } : null,
    recentDials,
  };
}
