import { sql } from 'kysely';
import type { JsonObject } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import { GIVE_UP_AFTER_MS } from './decisions/delivery-plan.ts';
import { isEventType, type WebhookEventType } from './decisions/event-catalogue.ts';

/** A message that is to be sent now. */
export interface DueMessage {
  id: number;
  messageId: string;
  type: WebhookEventType;
  key: string;
  sequence: number;
  subject: JsonObject;
  tries: number;
  /** When the event happened, UTC ms. */
  createdAt: number;
}

const MESSAGE = sql`d.id, d.message_id, d.type, d.key, d.subject, d.tries, d.created_at`;

/**
 * The number of a message among those of its key to the endpoint. It is kept with the first try; until then the same question answers the
 * same number, because the next message of the key waits.
 */
const SEQUENCE = sql`coalesce(d.sequence, 1 + coalesce((
  select max(b.sequence) from webhook_delivery b where b.endpoint_id = d.endpoint_id and b.key = d.key), 0))`;

/** The first waiting message of each key that is due. The next one of a key waits until the one before it is delivered or given up. */
export async function takeDue(db: Pick<Sql, 'rows'>, endpointId: number, limit: number): Promise<DueMessage[]> {
  const rows = await db.rows(sql<DueMessage>`
    select ${MESSAGE}, ${SEQUENCE} as sequence from webhook_delivery d
    where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.due_at <= now()
      and not exists (
        select from webhook_delivery b where b.endpoint_id = d.endpoint_id and b.key = d.key and b.id < d.id and b.state = 'waiting')
    order by d.due_at, d.id limit ${limit}`);
  return rows.filter(({ type }) => isEventType(type));
}

/** Outcome of one delivery try. */
export interface TryOutcome {
  id: number;
  sequence: number;
  state: 'waiting' | 'delivered' | 'given_up' | 'dropped';
  /** Pause before the next try, ms. */
  pauseMs: number;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
  tookMs: number | null;
}

/** Keeps the tries of a round; what waits behind a failed message of the same key is due no sooner than it. */
export async function recordTries(db: Pick<Sql, 'run'>, outcomes: readonly TryOutcome[]): Promise<void> {
  await db.run(sql`
    with tried as (
      select t.*, now() + t."pauseMs" * interval '1 millisecond' as again
      from jsonb_to_recordset(${json(outcomes)}) as t(id bigint, sequence int, state text, "pauseMs" float8, "statusCode" int, error text,
        answer text, "tookMs" int)),
    kept as (
      update webhook_delivery d set state = t.state, sequence = t.sequence, tries = d.tries + 1, tried_at = now(), due_at = t.again,
        delivered_at = case when t.state = 'delivered' then now() end, status_code = t."statusCode", error = t.error, answer = t.answer,
        took_ms = t."tookMs"
      from tried t where d.id = t.id and d.state = 'waiting' returning d.id, d.endpoint_id, d.key, d.state, d.due_at)
    update webhook_delivery d set due_at = k.due_at from kept k
    where k.state = 'waiting' and d.endpoint_id = k.endpoint_id and d.key = k.key and d.id > k.id and d.state = 'waiting' and d.due_at < k.due_at`);
}

/** Makes what has failed due at once: its receiver answers again. */
export async function hurryWaiting(db: Pick<Sql, 'run'>, endpointId: number): Promise<void> {
  await db.run(sql`
    update webhook_delivery set due_at = now() where endpoint_id = ${endpointId} and state = 'waiting' and due_at > now()`);
}

/** Most rows that one statement of the upkeep changes. */
const CHUNK = 2_000;

/** Gives up messages that have waited too long. Each keeps its sequence number, so that the receiver sees a gap. */
export function giveUpOld(db: Pick<Sql, 'run'>): Promise<number> {
  return db.run(sql`
    with old as (
      select d.id, ${SEQUENCE} + row_number() over (partition by d.endpoint_id, d.key order by d.id) - 1 as sequence
      from webhook_delivery d where d.id in (
        select o.id from webhook_delivery o
        where o.state = 'waiting' and o.queued_at < now() - ${GIVE_UP_AFTER_MS}::float8 * interval '1 millisecond' order by o.id limit ${CHUNK}))
    update webhook_delivery d set state = 'given_up', sequence = coalesce(d.sequence, old.sequence), error = coalesce(d.error, 'expired')
    from old where d.id = old.id and d.state = 'waiting'`);
}

/** Removes messages to endpoints that were deleted at the moment at which they were queued. */
export function removeOrphans(db: Pick<Sql, 'run'>): Promise<number> {
  return db.run(sql`
    delete from webhook_delivery where id in (
      select d.id from webhook_delivery d where d.state = 'waiting' and not exists (select from webhook_endpoint e where e.id = d.endpoint_id)
      limit ${CHUNK})`);
}

/** Removes the oldest log rows, a bounded slice at a time; what waits stays. */
export function removeOld(db: Pick<Sql, 'run'>, keepDays: number): Promise<number> {
  return db.run(sql`
    delete from webhook_delivery where state <> 'waiting' and created_at < now() - ${keepDays}::int * interval '24 hours' and id in (
      select id from webhook_delivery order by id limit ${CHUNK})`);
}
