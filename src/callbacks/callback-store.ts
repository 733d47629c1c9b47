import { type RawBuilder, sql } from 'kysely';
import { notFound } from '#kernel/errors.ts';
import { CALL_STATUSES, isAnswered } from '#protocol/call-status.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { allOf } from '#platform/postgres/filters.ts';
import type { Steps } from '#platform/postgres/hot-sql.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, ids, instant, json, texts } from '#platform/postgres/values.ts';
import { type Callback, callback, type CallbackPromise, type CallbackSource, type CallbackStatus } from './callback.ts';
import { type CallbackEnd, decideCallback } from './decisions/callback-end.ts';

export const CALLBACK_TABLE = {
  columns: columnsOf(callback, 'b'),
  from: sql`callback b`,
  id: sql`b.id`,
  exists: sql`true`,
} satisfies Table<unknown>;

/** Filters of the list; an undefined filter does not narrow it. Instants are UTC ms. */
export interface CallbackSearch {
  campaignId?: number | undefined;
  contactId?: number | undefined;
  status?: CallbackStatus | undefined;
  /** Due range, half-open: `from` ≤ due < `to`. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The columns by which a calendar of callbacks is read come from `callback_campaign_due`. Source: D7.12 */
export const callbackList = listOf(CALLBACK_TABLE, ({ campaignId, contactId, status, from, to }: CallbackSearch) =>
  allOf(
    campaignId !== undefined && sql`b.campaign_id = ${campaignId}`,
    contactId !== undefined && sql`b.contact_id = ${contactId}`,
    status !== undefined && sql`b.status = ${status}`,
    from !== undefined && sql`b.due_at >= ${instant(from)}`,
    to !== undefined && sql`b.due_at < ${instant(to)}`,
  ),
);

/** A contact with a promise waits for it on hold, unless a user has paused it or it is in a call. */
const WAITS = sql`status = 'pending', retry_at = null, hold_reason = 'callback', hold_until = `;

interface Promised extends CallbackPromise {
  campaignId: number;
  contactId: number;
  source: CallbackSource;
  createdBy: number | null;
}

/**
 * Promises a contact a callback; one that it was promised already is replaced.
 *
 * Errors: NOT_FOUND
 */
export async function promiseCallback(tx: Sql, { campaignId, contactId, source, createdBy, ...promise }: Promised): Promise<Callback> {
  const contact = await tx.first(sql<{ status: string }>`
    select status from contact where id = ${contactId} and campaign_id = ${campaignId} and deleted_at is null for no key update`);
  if (!contact) throw notFound('联系人');
  const row = await tx.first(sql<Callback>`
    insert into callback as b (campaign_id, contact_id, due_at, until, note, source, created_by)
    values (${campaignId}, ${contactId}, ${instant(promise.dueAt)}, ${instant(promise.until)}, ${promise.note}, ${source}, ${createdBy})
    ${REPLACES} returning ${CALLBACK_TABLE.columns}`);
  if (!row) throw new Error('a promised callback vanished');
  const waits = contact.status !== 'paused' && contact.status !== 'submitted';
  await tx.run(sql`
    update contact set callback_at = ${instant(promise.dueAt)}${waits ? sql`, ${WAITS} ${instant(promise.dueAt)}` : sql``}
    where id = ${contactId}`);
  return row;
}

const REPLACES = sql`
  on conflict (contact_id) where status = 'promised' do update set
    due_at = excluded.due_at, until = excluded.until, note = excluded.note, source = excluded.source, misses = 0,
    attempt_id = excluded.attempt_id, ended_attempt_id = null, created_by = excluded.created_by`;

const ANSWERED = texts(CALL_STATUSES.filter(isAnswered));

/**
 * Cancels a promise; the contact is again what its last call made of it. Shape: null when there is no such promise
 */
export async function cancelCallback(tx: Sql, callbackId: number): Promise<Callback | null> {
  const row = await tx.first(sql<Callback>`
    update callback b set status = 'cancelled' where b.id = ${callbackId} and b.status = 'promised' returning ${CALLBACK_TABLE.columns}`);
  if (!row) return null;
  await tx.run(sql`
    update contact c set callback_at = null,
      status = case when c.hold_reason = 'callback' and exists (
        select 1 from attempt a where a.id = c.last_attempt_id and a.call_status = any(${ANSWERED})) then 'completed' else c.status end,
      hold_until = case when c.hold_reason = 'callback' then null else c.hold_until end,
      hold_reason = case when c.hold_reason = 'callback' then null else c.hold_reason end
    where c.id = ${row.contactId}`);
  return row;
}

/** The end of an attempt, for a promise to its contact. */
export interface EndedCall extends CallbackEnd {
  attemptId: number;
}

interface OpenPromise {
  id: number;
  /** Instant at which the attempt was claimed, UTC ms. */
  claimedAt: number;
  attemptId: number;
  contactId: number;
  dueAt: number;
  until: number | null;
  misses: number;
}

/**
 * Decides the promises of contacts whose calls have ended: kept, dialled again, given up. A promise made during the call stays.
 *
 * Shape: statements for the same transaction, to be run after the contacts have been moved
 */
export async function concludeCallbacks(tx: Steps, ended: readonly EndedCall[]): Promise<RawBuilder<unknown>[]> {
  if (ended.length === 0) return [];
  const [open] = await tx.step(sql<OpenPromise>`
    select b.id, a.id as attempt_id, b.contact_id, b.due_at, b.until, b.misses, a.claimed_at
    from attempt a join callback b on b.contact_id = a.contact_id and b.status = 'promised'
    where a.id = any(${ids(ended.map(({ attemptId }) => attemptId))}) order by b.id for no key update of b`);
  if (open.length === 0) return [];
  const endOf = new Map(ended.map(end => [end.attemptId, end]));
  const decided = open.flatMap(({ claimedAt, ...promise }) => {
    const end = endOf.get(promise.attemptId);
    if (!end) return [];
    return { ...promise, ...decideCallback({ ...promise, claimedAt }, end) };
  });
  return [applyDecisions(decided)];
}

/** A contact whose promise stays returns to its wait, whatever the call has made of it. */
function applyDecisions(decided: readonly object[]): RawBuilder<unknown> {
  return sql`
    with decided as (
      select d.*, to_timestamp(d."dueAt" / 1000) as due_at from jsonb_to_recordset(${json(decided)}) as
        d(id bigint, "attemptId" bigint, "contactId" bigint, status text, misses int, "dueAt" float8)),
    changed as (
      update callback b set status = d.status, misses = d.misses, due_at = d.due_at, told = d.status <> 'given_up',
        ended_attempt_id = d."attemptId"
      from decided d where b.id = d.id)
    ${MOVED}`;
}

const IS_AGAIN = sql`(d.status = 'promised' and c.status not in ('paused', 'submitted') and c.hold_reason is distinct from 'invalid_number')`;

/** Moves the contacts of `decided` (contactId, status, due_at): those with a promise wait for it, unless paused or in a call. */
const MOVED = sql`
    update contact c set callback_at = case when d.status = 'promised' then d.due_at end,
      status = case when ${IS_AGAIN} then 'pending' else c.status end, retry_at = case when ${IS_AGAIN} then null else c.retry_at end,
      hold_reason = case when ${IS_AGAIN} then 'callback' else c.hold_reason end,
      hold_until = case when ${IS_AGAIN} then d.due_at else c.hold_until end
    from decided d where c.id = d."contactId"`;

/** A promise that a call's result brings. */
export interface ReportedPromise extends CallbackPromise {
  attemptId: number;
}

/** Statements that promise callbacks from results, to be run after the contacts have been moved; none without promises. */
export function promiseFromResults(promises: readonly ReportedPromise[]): RawBuilder<unknown>[] {
  if (promises.length === 0) return [];
  const given = sql`
    select g.*, 'promised' as status, a.contact_id as "contactId", a.campaign_id, to_timestamp(g."dueAt" / 1000) as due_at, to_timestamp(g.until / 1000) as until_at
    from jsonb_to_recordset(${json(promises)}) as g("attemptId" bigint, "dueAt" float8, until float8, note text)
    join attempt a on a.id = g."attemptId" join contact c on c.id = a.contact_id and c.deleted_at is null`;
  const written = sql`
    insert into callback (campaign_id, contact_id, due_at, until, note, source, attempt_id)
    select campaign_id, "contactId", due_at, until_at, note, 'runtime', "attemptId" from decided ${REPLACES}`;
  return [sql`with decided as (${given}), promised as (${written}) ${MOVED}`];
}

/** Whether the promise with alias `b` to the contact with alias `c` cannot be kept any more. */
const IS_HOPELESS = sql`(b.until <= now() or (b.due_at <= now() and (c.hold_reason = 'invalid_number' or c.deleted_at is not null)))`;

/**
 * Ends promises that cannot be kept: their time has passed, or they are due for a number that cannot be dialled or a contact that was deleted.
 *
 * Shape: their campaigns
 */
export async function giveUpOverdue(db: Database, limit: number): Promise<number[]> {
  const rows = await db.rows(sql<{ campaignId: number }>`
    with over as (
      select b.id, c.deleted_at is not null as is_deleted from callback b join contact c on c.id = b.contact_id
      where b.status = 'promised' and c.status <> 'submitted' and ${IS_HOPELESS} order by b.due_at limit ${limit} for no key update of b skip locked),
    ended as (
      update callback b set status = case when is_deleted then 'cancelled' else 'given_up' end, told = is_deleted
      from over where b.id = over.id returning b.contact_id, b.campaign_id)
    update contact c set callback_at = null,
      hold_until = case when c.hold_reason = 'callback' then null else c.hold_until end,
      hold_reason = case when c.hold_reason = 'callback' then null else c.hold_reason end
    from ended e where c.id = e.contact_id returning e.campaign_id`);
  return [...new Set(rows.map(({ campaignId }) => campaignId))];
}

/** A given-up callback whose runtime event has not been recorded. */
export interface UntoldCallback extends Pick<Callback, 'id' | 'campaignId' | 'contactId' | 'dueAt' | 'misses'> {
  campaignName: string;
}

export function untoldCallbacks(db: Sql, limit: number): Promise<UntoldCallback[]> {
  return db.rows(sql<UntoldCallback>`
    select b.id, b.campaign_id, b.contact_id, b.due_at, b.misses, m.name as campaign_name
    from callback b join campaign m on m.id = b.campaign_id where not b.told order by b.id limit ${limit}`);
}

export async function markTold(db: Sql, callbackIds: readonly number[]): Promise<void> {
  await db.run(sql`update callback set told = true where id = any(${ids(callbackIds)})`);
}
