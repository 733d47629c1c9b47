import { type RawBuilder, sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { duePromise } from '#callbacks/callback-store.ts';
import type { DuePromise } from '#callbacks/callback.ts';
import { consentsOf } from '#consent/consent-conditions.ts';
import { SOFTPHONE_OPEN } from '#contacts/contact-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import { ids } from '#platform/postgres/values.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { CandidateNumber, ClaimRequest, DialCandidate, RecentDial } from './dial-store.ts';
import { entryOf } from '#do-not-call/entry-conditions.ts';
import {
  CALLBACKS,
  FRESH,
  isInCall,
  lastAbandonedAt,
  OTHER_RETRIES,
  recentDialsOf,
  REFUSED,
  type RETRIES,
  URGENT,
  URGENT_RETRIES,
} from './queue-conditions.ts';

/** A locked contact with the facts that the admission rules need. */
export interface CandidateRow extends DialCandidate {
  numbers: readonly CandidateNumber[];
  customerName: string;
  metadata: JsonObject;
  mailboxText: string | null;
  /** The number's last call that had, or may have had, a channel. */
  previousRequestId: string | null;
  isRetry: boolean;
  callback: DuePromise | null;
}

/** A contact to dial, until the end of its permission, UTC ms; null = no end. */
export type AdmittedRow = CandidateRow & {
  validUntil: number | null;
  /** Key of the number that stood in the contact; it is dialled at another one when the keys differ. */
  ownKey: string;
};

/** Contacts grouped by the decision of the admission rules. */
export interface Verdicts {
  /** Instant of the claim, UTC ms. */
  at: number;
  admitted: AdmittedRow[];
  held: { row: CandidateRow; reason: string; until: number | null }[];
  failed: { row: CandidateRow; callStatus: CallStatus }[];
}

interface CandidateQuery {
  campaignId: number;
  /** How far back earlier dials to the same number are read, days; 0: not needed. */
  frequencyDays: number;
  /** Purposes whose consents are read; empty: none. */
  purposes: readonly string[];
  /** Whether the last abandoned call to each number is read. */
  readsAbandoned: boolean;
  limit: number;
  /** Contacts already examined in this claim. */
  seen: readonly number[];
}

/**
 * Locks the next contacts to dial, due callbacks first, then urgent dials and their retries, then other due retries; skips those locked by other transactions.
 *
 * Why:    related rows are looked up per contact: the planner cannot estimate the second limit and would otherwise read whole tables
 * Source: D5.5, D7.15, A6 step 3
 */
export function lockCandidates(query: CandidateQuery): RawBuilder<CandidateRow> {
  const rest = (...taken: RawBuilder<unknown>[]) =>
    sql`greatest(0, ${query.limit}::int - ${sql.join(
      taken.map(name => sql`(select count(*) from ${name})`),
      sql` - `,
    )})`;
  return sql<CandidateRow>`
    with promised as materialized (${picked(query, CALLBACKS, sql`${query.limit}::int`)}),
    urgent_due as materialized (${picked(query, dueOf(URGENT_RETRIES), rest(sql`promised`))}),
    urgent_fresh as materialized (${picked(query, URGENT, rest(sql`promised`))}),
    urgent as (select * from urgent_due union all select * from urgent_fresh),
    due as materialized (${picked(query, dueOf(OTHER_RETRIES), rest(sql`promised`, sql`urgent`))}),
    fresh as materialized (${picked(query, FRESH, rest(sql`promised`, sql`urgent`, sql`due`))}),
    queued as (
      select k.*, 0 as turn, row_number() over (order by ${CALLBACKS.order}) as place from promised k
      union all select k.*, 1, row_number() over (order by ${URGENT.order}) from urgent k
      union all select k.*, 2, row_number() over (order by ${OTHER_RETRIES.order}) from due k
      union all select k.*, 3, row_number() over (order by ${FRESH.order}) from fresh k)
    select k.id as contact_id, k.phone_number, k.dial_key, k.customer_name, k.metadata, k.mailbox_text,
      k.attempt_count, k.last_caller_number, k.callback_at, k.retry_at, k.not_before, k.not_after, k.zones, k.retry_at is not null as is_retry,
      case when k.callback_at is not null then ${duePromise(sql`k.id`, sql`statement_timestamp()`)} end as callback,
      ${PREVIOUS_CALL} as previous_request_id,
      (select a.ended_at from attempt a where a.contact_id = k.id and a.status <> 'cancelled' and not ${REFUSED} and not ${RANG_NOBODY}
       order by a.id desc limit 1) as last_ended_at,
      ${entryOf(sql`k.dial_key`)} as do_not_call, ${candidateNumbers(key => consentsOf(key, query.purposes))} as numbers,
      ${isInCall(sql`k.dial_key`)} as is_in_call,
      case when ${query.frequencyDays}::int > 0 then ${recentDials(query)} else '[]' end as recent_dials,
      ${consentsOf(sql`k.dial_key`, query.purposes)} as consents,
      case when ${query.readsAbandoned}::boolean then ${ABANDONED_PERSON} end as last_abandoned_at
    from queued k
    order by k.turn, k.place`;
}

function dueOf({ where, order }: typeof RETRIES): typeof RETRIES {
  return { order, where: sql`${where} and k.retry_at <= statement_timestamp()` };
}

/** A number that does not exist costs its person no wait: the next number is dialled at once. Source: D6.7 */
const RANG_NOBODY = sql`(k.has_numbers and a.outcome is not distinct from 'invalid_number')`;

/** The numbers of the contact with alias `k`, as `DialCandidate` has them; `consents`: those of a number. */
export function candidateNumbers(consents: (dialKey: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<readonly CandidateNumber[]> {
  return sql<readonly CandidateNumber[]>`case when k.has_numbers then (
    select jsonb_agg(jsonb_build_object('phoneNumber', n.phone_number, 'dialKey', n.dial_key, 'extension', n.extension, 'verdict', n.verdict,
      'doNotCall', ${entryOf(sql`n.dial_key`)}, 'consents', ${consents(sql`n.dial_key`)}) order by n.position)
    from contact_number n where n.contact_id = k.id)
  else '[]' end`;
}

/** The last abandoned call to any number of the contact. */
const ABANDONED_PERSON = sql`greatest(${lastAbandonedAt(sql`k.dial_key`)},
  (select max(${lastAbandonedAt(sql`n.dial_key`)}) from contact_number n where k.has_numbers and n.contact_id = k.id))`;

/** Looked up by number across campaigns, because a channel may outlive its result. */
const PREVIOUS_CALL = sql<string | null>`(
  select a.request_id from attempt a
  where a.dial_key = k.dial_key and a.dialing_at is not null and (a.accepted_at is not null or a.status = 'outcome_unknown')
  order by a.dialing_at desc limit 1)`;

/** Newest first. */
function recentDials({ frequencyDays }: CandidateQuery): RawBuilder<RecentDial[]> {
  const since = sql`statement_timestamp() - ${frequencyDays}::int * interval '24 hours'`;
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('at', epoch_ms(dial.at), 'campaignId', dial.campaign_id) order by dial.at desc), '[]')
    from (
      select * from ${recentDialsOf(sql`k.dial_key`, since)} as own
      union all
      select others.* from contact_number n cross join lateral ${recentDialsOf(sql`n.dial_key`, since)} as others
      where k.has_numbers and n.contact_id = k.id and n.dial_key <> k.dial_key) as dial)`;
}

function picked({ campaignId, seen }: CandidateQuery, { where, order }: typeof RETRIES, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select k.id, k.phone_number, k.dial_key, k.customer_name, k.metadata, k.attempt_count, k.last_caller_number, k.zones, k.priority, k.urgency,
      k.retry_at, k.callback_at, k.not_before, k.not_after, k.mailbox_text, k.has_numbers
    from contact k
    where k.campaign_id = ${campaignId} and ${where}
      and k.id <> all(${ids(seen)}) and not exists (select 1 from attempt a where a.contact_id = k.id and ${OPEN})
      and not exists (select 1 from softphone_call s where s.contact_id = k.id and s.direction <> 'conference' and ${SOFTPHONE_OPEN})
    order by ${order} limit ${limit} for no key update of k skip locked`;
}

/** Key for `pg_advisory_xact_lock`: claims that consider earlier dials are serialised. */
const FREQUENCY_LOCK = 7_225_541;

/**
 * To be run before the statement that reads earlier dials.
 *
 * Why:    two campaigns that claim the same number concurrently would each see it below its limit
 * Source: D8.4
 */
export function claimsTakeTurns({ frequencyDays }: ClaimRequest): RawBuilder<unknown> {
  return sql`select case when ${frequencyDays}::int > 0 then pg_advisory_xact_lock(${FREQUENCY_LOCK}) end`;
}

/** Earlier dials of the persons in a claim, including those of the claim itself. */
export interface SeenDials {
  of(row: CandidateRow): readonly RecentDial[];
  /** Records that the claim takes the person, for later contacts with one of the numbers. */
  add(row: CandidateRow): void;
  /** Whether the claim has taken the person. */
  has(row: CandidateRow): boolean;
}

/** `at`: instant of the claim, UTC ms. */
export function seenDials({ campaignId, frequencyDays }: ClaimRequest, at: number): SeenDials {
  const taken = new Map<string, RecentDial[]>();
  const ofKey = (key: string) => taken.get(key) ?? [];
  return {
    // A dial to a number that two persons share counts once for each of them.
    of: row => (frequencyDays === 0 ? row.recentDials : [...new Set(keysOf(row).flatMap(ofKey)), ...row.recentDials]),
    add: row => {
      const dial = { at, campaignId };
      for (const key of keysOf(row)) taken.set(key, [dial, ...ofKey(key)]);
    },
    has: row => keysOf(row).some(key => taken.has(key)),
  };
}

function keysOf({ dialKey, numbers }: CandidateRow): readonly string[] {
  return numbers.length === 0 ? [dialKey] : numbers.map(number => number.dialKey);
}
