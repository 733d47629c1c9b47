import { sql } from 'kysely';
import { type AttemptFilter, attemptIdsBetween, attemptList, IS_SHOWN } from '#attempts/attempt-store.ts';
import type { JsonValue } from '#kernel/json.ts';
import { readNumberKeys } from '#scripts/result-fields.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { CALL_RESULTS } from '../result-columns.ts';
import { maskedCall, recordedCall, vconOf } from '../decisions/vcon.ts';
import type { ExportSource } from './export-source.ts';

/** Segments of a call at most. */
const MAX_SEGMENTS = 5_000;
const MAX_AGENTS = 20;
const USUAL_SEGMENTS = 20;

const SEGMENTS = sql`(
  select coalesce(json_agg(json_build_object('speaker', t.speaker, 'text', t.text, 'startMs', t.start_ms, 'endMs', t.end_ms) order by t.position, t.id), '[]')
  from (select * from transcript_segment where attempt_id = a.id order by position, id limit ${MAX_SEGMENTS}) as t)`;

const AGENTS = sql`(
  select coalesce(json_agg(g.name order by p.joined_at), '[]') from (
    select l.agent_id, min(l.joined_at) as joined_at from conference_session c join leg l on l.conference_id = c.id
    where c.customer_uuid = a.request_id::text and l.agent_id is not null and l.joined_at is not null
    group by l.agent_id limit ${MAX_AGENTS}) as p join agent g on g.id = p.agent_id)`;

/** The call with alias `a`, its contact `k`, campaign `m` and script `s`, as `recordedCall` reads it. */
const CALL = sql`json_build_object(
  'requestId', a.request_id, 'createdAt', epoch_ms(a.created_at), 'startedAt', epoch_ms(a.started_at), 'answeredAt', epoch_ms(a.answered_at),
  'durationSeconds', a.duration_seconds, 'outcome', coalesce(a.outcome, a.call_status),
  'customerNumber', case when a.dial_key like '+%' then a.dial_key else a.phone_number end, 'customerName', coalesce(k.customer_name, ''),
  'callerNumber', a.caller_number, 'scriptName', s.name, 'campaign', m.name, 'recording', a.recording_url,
  'classification', a.classification, 'intent', a.intent, 'results', ${CALL_RESULTS}, 'agents', ${AGENTS}, 'segments', ${SEGMENTS})`;

/** A vCon for each call. */
export function vconSource(filter: AttemptFilter): ExportSource {
  return {
    table: sql`attempt`,
    chosen: range => attemptIdsBetween(filter, range),
    total: attemptList.total(filter),
    createdFrom: filter.from,
    campaignId: filter.campaignId ?? null,
    // A column without a key is the row itself.
    columns: [{ key: '', title: ['vCon', 'vCon'], type: 'json', value: CALL, finish: asVcon, mask: maskCall }],
    from: sql`chosen join attempt a on a.id = chosen.id left join contact k on k.id = coalesce(a.tested_contact_id, a.contact_id)
      left join campaign m on m.id = a.campaign_id left join script s on s.id = a.script_id`,
    order: sql`a.id`,
    rowsPerId: USUAL_SEGMENTS,
  };
}

function asVcon(value: JsonValue): JsonValue {
  return vconOf(recordedCall.parse(value));
}

function maskCall(value: JsonValue, numberKeys: ReadonlySet<string>): JsonValue {
  return maskedCall(recordedCall.parse(value), numberKeys);
}

/** Reads one call as a vCon; null when there is no such call. */
export async function readVcon(db: Sql, attemptId: number, { isMasked }: { isMasked: boolean }): Promise<JsonValue> {
  const { from } = vconSource({});
  const row = await db.first(sql<{ call: JsonValue }>`
    with chosen as (select a.id from attempt a where a.id = ${attemptId} and ${IS_SHOWN}) select ${CALL} as call from ${from}`);
  if (row === undefined) return null;
  return asVcon(isMasked ? maskCall(row.call, new Set(await readNumberKeys({ db }))) : row.call);
}
