import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { JsonObject } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from './decisions/event-catalogue.ts';
import type { DueMessage } from './delivery-store.ts';

type Subject = (typeof WEBHOOK_EVENTS)[WebhookEventType]['from'];

/** The rows of messages, by the id of the message; one whose row is gone has none. */
type SubjectRows = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

/** Statements that read what events say, joined to the messages as `m(id, subject)`. Their columns are a contract: shapes pick from them. */
const READS: Readonly<Record<Exclude<Subject, 'own'>, RawBuilder<unknown>>> = {
  // Columns that later versions add are read by name, so that this statement does not depend on them.
  attempt: sql`
    select m.id as delivery_id, a.request_id, a.id as attempt_id, a.campaign_id, c.name as campaign_name, c.business_code, a.contact_id,
      k.external_id, a.phone_number, k.customer_name, a.caller_number, a.claimed_at, a.dialing_at as dialed_at, a.answered_at, a.ended_at,
      a.duration_seconds, a.status, a.call_status, a.outcome, a.hangup_cause, a.hangup_by, a.classification, a.intent, a.opt_out,
      a.result_at is not null as is_result_reported, a.payload as result, to_jsonb(a) -> 'result_fields' as result_fields,
      a.recording_url as recording_name, '/api/recordings/' || a.id as recording_path, k.status as contact_status, k.attempt_count
    from message m join attempt a on a.id = (m.subject ->> 'attemptId')::bigint join campaign c on c.id = a.campaign_id
    join contact k on k.id = a.contact_id`,
  contact: sql`
    select m.id as delivery_id, k.id as contact_id, k.campaign_id, c.name as campaign_name, k.external_id, k.phone_number, k.customer_name,
      m.subject ->> 'status' as status, k.attempt_count, a.request_id as last_request_id
    from message m join contact k on k.id = (m.subject ->> 'contactId')::bigint join campaign c on c.id = k.campaign_id
    left join attempt a on a.id = k.last_attempt_id`,
  doNotCall: sql`
    select m.id as delivery_id, d.id as entry_id, d.phone_number, d.reason, d.source, d.scope, d.expires_at
    from message m join do_not_call d on d.id = (m.subject ->> 'entryId')::int`,
  callback: sql`
    select m.id as delivery_id, b.id as callback_id, b.campaign_id, c.name as campaign_name, b.contact_id, k.external_id, k.phone_number,
      k.customer_name, b.due_at, b.until, b.note, b.source, b.agent_id, a.request_id
    from message m join callback b on b.id = (m.subject ->> 'callbackId')::bigint join campaign c on c.id = b.campaign_id
    join contact k on k.id = b.contact_id left join attempt a on a.id = b.attempt_id`,
  // The place of the file is left out: only the server needs it.
  job: sql`
    select m.id as delivery_id, j.id as job_id, j.kind, j.title, j.state, j.done, j.total, j.result - 'file' as result, j.error
    from message m join job j on j.id = (m.subject ->> 'jobId')::bigint`,
  runtimeEvent: sql`
    select m.id as delivery_id, e.id as event_id, e.level, e.type as event_type, e.title, e.message, e.campaign_id, c.name as campaign_name,
      a.request_id, e.cell_id, e.detail
    from message m join runtime_event e on e.id = (m.subject ->> 'eventId')::bigint left join campaign c on c.id = e.campaign_id
    left join attempt a on a.id = e.attempt_id`,
};

/**
 * Reads the data of each message, in the shape of its type; null when its row has been deleted.
 *
 * Why: nothing about a person is kept in the queue or its log, so that an erased person is in none, and a replay tells the present state
 */
export async function readData(db: Pick<Sql, 'rows'>, messages: readonly DueMessage[]): Promise<Map<number, JsonObject | null>> {
  const groups = [...Map.groupBy(messages, ({ type }) => WEBHOOK_EVENTS[type].from)];
  const read = await Promise.all(groups.map(([subject, group]) => readRows(db, subject, group)));
  const rows = new Map(read.flatMap(found => [...found]));
  return new Map(messages.map(({ id, type }) => [id, dataOf(type, rows.get(id))]));
}

async function readRows(db: Pick<Sql, 'rows'>, subject: Subject, messages: readonly DueMessage[]): Promise<SubjectRows> {
  if (subject === 'own') return new Map(messages.map(message => [message.id, message.subject]));
  const given = messages.map(message => ({ id: message.id, subject: message.subject }));
  const rows = await db.rows(sql<{ deliveryId: number }>`
    with message as materialized (select * from jsonb_to_recordset(${json(given)}) as m(id bigint, subject jsonb)) ${READS[subject]}`);
  return new Map(rows.map(row => [row.deliveryId, { ...row }]));
}

/** Members that the shape does not name are left out. */
function dataOf(type: WebhookEventType, row: Readonly<Record<string, unknown>> | undefined): JsonObject | null {
  if (row === undefined) return null;
  return jsonObject.parse(z.encode(WEBHOOK_EVENTS[type].data, row));
}

const jsonObject = z.record(z.string(), z.json());
