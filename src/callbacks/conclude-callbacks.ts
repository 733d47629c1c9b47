import { type RawBuilder, sql } from 'kysely';
import type { Steps } from '#platform/postgres/hot-sql.ts';
import { BUSINESS_ZONE, ids, json } from '#platform/postgres/values.ts';
import type { CallbackPromise } from './callback.ts';
import { REPLACES } from './callback-store.ts';
import { type CallbackDecision, type CallbackEnd, decideCallback, type KnownPromise, queuedAt } from './decisions/callback-end.ts';

/** The end of an attempt, for a promise to its contact. */
export interface EndedCall extends CallbackEnd {
  attemptId: number;
}

interface OpenPromise extends KnownPromise {
  id: number;
  attemptId: number;
  contactId: number;
}

/** Columns that a decision needs, of the promise with alias `b`, its contact `c` and its campaign `m`. */
export const KNOWN_PROMISE = sql<Omit<KnownPromise, 'claimedAt'>>`
  b.due_at, b.until, b.misses, b.agent_id, coalesce(split_part(c.zones, ' ', 1), m.time_zone, ${BUSINESS_ZONE}) as zone,
  m.callback_missed, m.callback_again_minutes, m.callback_max_misses, m.anybody_after_minutes`;

/**
 * Decides the promises of contacts whose calls have ended: kept, dialled again, given up. A promise made during the call stays.
 *
 * Shape:  statements for the same transaction, to be run after the contacts have been moved
 */
export async function concludeCallbacks(tx: Steps, ended: readonly EndedCall[]): Promise<RawBuilder<unknown>[]> {
  if (ended.length === 0) return [];
  const [open] = await tx.step(sql<OpenPromise>`
    select b.id, a.id as attempt_id, b.contact_id, ${KNOWN_PROMISE}, a.claimed_at
    from attempt a join callback b on b.contact_id = a.contact_id and b.status = 'promised'
      join contact c on c.id = b.contact_id join campaign m on m.id = b.campaign_id
    where a.id = any(${ids(ended.map(({ attemptId }) => attemptId))}) order by b.id for no key update of b`);
  if (open.length === 0) return [];
  const endOf = new Map(ended.map(end => [end.attemptId, end]));
  const decided = open.flatMap(promise => {
    const end = endOf.get(promise.attemptId);
    return end ? [decidedRow(promise, decideCallback(promise, end))] : [];
  });
  return [applyDecisions(decided)];
}

interface DecidedRow {
  id: number;
  contactId: number;
  /** Null when an agent made the call. */
  attemptId: number | null;
  status: CallbackDecision['status'];
  misses: number;
  dueAt: number;
  queuedAt: number;
  agentId: number | null;
}

type Decidable = Pick<KnownPromise, 'dueAt' | 'agentId' | 'anybodyAfterMinutes'> & Pick<DecidedRow, 'id' | 'contactId' | 'attemptId'>;

export function decidedRow(promise: Decidable, decision: CallbackDecision): DecidedRow {
  const { id, contactId, attemptId, anybodyAfterMinutes } = promise;
  const { status, misses } = decision;
  const { dueAt, agentId } = decision.status === 'promised' ? decision : promise;
  return { id, contactId, attemptId, status, misses, dueAt, agentId, queuedAt: queuedAt({ dueAt, agentId }, anybodyAfterMinutes) };
}

/** A contact whose promise stays returns to its wait, whatever the call has made of it. */
export function applyDecisions(decided: readonly DecidedRow[]): RawBuilder<unknown> {
  return sql`
    with decided as (
      select d.*, to_timestamp(d."dueAt" / 1000) as due_at, to_timestamp(d."queuedAt" / 1000) as queued_at
      from jsonb_to_recordset(${json(decided)}) as
        d(id bigint, "attemptId" bigint, "contactId" bigint, status text, misses int, "dueAt" float8, "queuedAt" float8, "agentId" int)),
    changed as (
      update callback b set status = d.status, misses = d.misses, due_at = d.due_at, agent_id = d."agentId", told = d.status <> 'given_up',
        end_reason = case when d.status = 'given_up' then 'missed' end, ended_attempt_id = coalesce(d."attemptId", b.ended_attempt_id)
      from decided d where b.id = d.id)
    ${MOVED}`;
}

const IS_AGAIN = sql`(d.status = 'promised' and c.status not in ('paused', 'submitted') and c.hold_reason is distinct from 'invalid_number')`;

/** Moves the contacts of `decided` (contactId, status, due_at, queued_at): those with a promise wait for it, unless paused or in a call. */
const MOVED = sql`
    update contact c set callback_at = case when d.status = 'promised' then d.queued_at end,
      status = case when ${IS_AGAIN} then 'pending' else c.status end, retry_at = case when ${IS_AGAIN} then null else c.retry_at end,
      hold_reason = case when ${IS_AGAIN} then 'callback' else c.hold_reason end,
      hold_until = case when ${IS_AGAIN} then d.queued_at else c.hold_until end
    from decided d where c.id = d."contactId"`;

/** A promise that a call's result brings. */
export interface ReportedPromise extends CallbackPromise {
  attemptId: number;
}

/** Statements that promise callbacks from results, to be run after the contacts have been moved; none without promises. */
export function promiseFromResults(promises: readonly ReportedPromise[]): RawBuilder<unknown>[] {
  if (promises.length === 0) return [];
  const given = sql`
    select g.*, 'promised' as status, a.contact_id as "contactId", a.campaign_id, to_timestamp(g."dueAt" / 1000) as due_at,
      to_timestamp(g."dueAt" / 1000) as queued_at, to_timestamp(g.until / 1000) as until_at
    from jsonb_to_recordset(${json(promises)}) as g("attemptId" bigint, "dueAt" float8, until float8, note text)
    join attempt a on a.id = g."attemptId" join contact c on c.id = a.contact_id and c.deleted_at is null`;
  const written = sql`
    insert into callback (campaign_id, contact_id, due_at, until, note, source, attempt_id)
    select campaign_id, "contactId", due_at, until_at, note, 'runtime', "attemptId" from decided ${REPLACES}`;
  return [sql`with decided as (${given}), promised as (${written}) ${MOVED}`];
}
