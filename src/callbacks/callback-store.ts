import { type RawBuilder, sql } from 'kysely';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { CALL_STATUSES, isAnswered } from '#protocol/call-status.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { allOf } from '#platform/postgres/filters.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, instant, json, texts } from '#platform/postgres/values.ts';
import { type Callback, callback, type CallbackPromise, type CallbackSource, type CallbackStatus, type DuePromise } from './callback.ts';
import { queuedAt } from './decisions/callback-end.ts';

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
  agentId?: number | undefined;
  status?: CallbackStatus | undefined;
  /** Due range, half-open: `from` ≤ due < `to`. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The columns by which a calendar of callbacks is read come from `callback_campaign_due` and `callback_calendar`. Source: D7.12 */
export const callbackList = listOf(
  CALLBACK_TABLE,
  ({ campaignId, contactId, agentId, status, from, to }: CallbackSearch) =>
    allOf(
      campaignId !== undefined && sql`b.campaign_id = ${campaignId}`,
      contactId !== undefined && sql`b.contact_id = ${contactId}`,
      agentId !== undefined && sql`b.agent_id = ${agentId}`,
      status !== undefined && sql`b.status = ${status}`,
      from !== undefined && sql`b.due_at >= ${instant(from)}`,
      to !== undefined && sql`b.due_at < ${instant(to)}`,
    ),
  { dueAt: sql`b.due_at` },
);

/** A contact with a promise waits for it on hold until the queue takes it, unless a user has paused it or it is in a call. */
const waitUntil = (queuedAt: RawBuilder<unknown>) =>
  sql`status = 'pending', retry_at = null, hold_reason = 'callback', hold_until = ${queuedAt}`;

interface Promised extends CallbackPromise {
  campaignId: number;
  contactId: number;
  source: CallbackSource;
  createdBy: number | null;
}

/**
 * Promises a contact a callback; one that it was promised already is replaced.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT for an agent that is gone
 */
export async function promiseCallback(
  tx: Sql,
  { campaignId, contactId, source, createdBy, agentId = null, ...promise }: Promised,
): Promise<Callback> {
  const contact = await tx.first(sql<{ status: string; anybodyAfterMinutes: number }>`
    select c.status, m.anybody_after_minutes from contact c join campaign m on m.id = c.campaign_id
    where c.id = ${contactId} and c.campaign_id = ${campaignId} and c.deleted_at is null for no key update of c`);
  if (!contact) throw notFound('联系人');
  await requireAgent(tx, agentId);
  const row = await tx.first(sql<Callback>`
    insert into callback as b (campaign_id, contact_id, due_at, until, note, source, created_by, agent_id)
    values (${campaignId}, ${contactId}, ${instant(promise.dueAt)}, ${instant(promise.until)}, ${promise.note}, ${source}, ${createdBy}, ${agentId})
    ${REPLACES} returning ${CALLBACK_TABLE.columns}`);
  if (!row) throw new Error('a promised callback vanished');
  const waits = contact.status !== 'paused' && contact.status !== 'submitted';
  const queued = instant(queuedAt({ dueAt: promise.dueAt, agentId }, contact.anybodyAfterMinutes));
  await tx.run(sql`update contact set callback_at = ${queued}${waits ? sql`, ${waitUntil(queued)}` : sql``} where id = ${contactId}`);
  return row;
}

interface Imported {
  campaignId: number;
  createdBy: number | null;
  promises: readonly { dialKey: string; dueAt: number; note: string }[];
}

/** Promises callbacks to contacts that were added in the same transaction. */
export async function promiseImported(tx: Sql, { campaignId, createdBy, promises }: Imported): Promise<void> {
  if (promises.length === 0) return;
  await tx.run(sql`
    with given as (
      select c.id, to_timestamp(g."dueAt" / 1000) as due_at, g.note
      from jsonb_to_recordset(${json(promises)}) as g("dialKey" text, "dueAt" float8, note text)
      join contact c on c.campaign_id = ${campaignId} and c.dial_key = g."dialKey" and c.deleted_at is null and not c.is_repeat),
    promised as (
      insert into callback (campaign_id, contact_id, due_at, note, source, created_by)
      select ${campaignId}, id, due_at, note, 'import', ${createdBy}::int from given)
    update contact c set callback_at = g.due_at, ${waitUntil(sql`g.due_at`)} from given g where c.id = g.id`);
}

/** The promise of a contact that was due at an instant; null when it had none. */
export function duePromise(contactId: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<DuePromise | null> {
  return sql<DuePromise | null>`(
    select jsonb_build_object('dueAt', epoch_ms(b.due_at), 'note', b.note, 'misses', b.misses) from callback b
    where b.contact_id = ${contactId} and b.status = 'promised' and b.due_at <= ${at})`;
}

async function requireAgent(tx: Sql, agentId: number | null): Promise<void> {
  if (agentId === null) return;
  const agent = await tx.first(sql`select 1 from agent where id = ${agentId} and deleted_at is null for key share`);
  if (!agent) throw invalidArgument('agentId', 'unknownAgent');
}

/** A promise that the contact has already takes the new one's members. */
export const REPLACES = sql`
  on conflict (contact_id) where status = 'promised' do update set
    due_at = excluded.due_at, until = excluded.until, note = excluded.note, source = excluded.source, misses = 0,
    attempt_id = excluded.attempt_id, ended_attempt_id = null, created_by = excluded.created_by, agent_id = excluded.agent_id,
    promised_at = now(), rung_at = null`;

const ANSWERED = texts(CALL_STATUSES.filter(isAnswered));

/** Whether a person answered the last call to the contact with alias `c`. */
export const IS_SERVED: RawBuilder<boolean> = sql`exists (
  select 1 from attempt a where a.id = c.last_attempt_id and a.call_status = any(${ANSWERED}))`;

const WAITS = sql`(c.hold_reason = 'callback')`;

/** Assignments that end the wait of the contact with alias `c`; `isServed`: nobody has to call it any more. */
export function endWait(isServed: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`callback_at = null, status = case when ${WAITS} and ${isServed} then 'completed' else c.status end,
    hold_until = case when ${WAITS} then null else c.hold_until end, hold_reason = case when ${WAITS} then null else c.hold_reason end`;
}

/**
 * Cancels a promise; the contact is again what its last call made of it. Shape: null when there is no such promise
 */
export async function cancelCallback(tx: Sql, callbackId: number): Promise<Callback | null> {
  const row = await tx.first(sql<Callback>`
    update callback b set status = 'cancelled' where b.id = ${callbackId} and b.status = 'promised' returning ${CALLBACK_TABLE.columns}`);
  if (!row) return null;
  await tx.run(sql`update contact c set ${endWait(IS_SERVED)} where c.id = ${row.contactId}`);
  return row;
}
