import { type RawBuilder, sql } from 'kysely';
import type { ContactOutcome } from '../decisions/contact-outcome.ts';
import type { ResultReport } from '#ports/dial-store.ts';
import type { AttemptStatus } from '#model/attempt.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { ResultFields } from '../decisions/result-report.ts';
import { instant, json } from '#adapters/postgres/values.ts';
import { moveContacts, OUTCOME_COLUMNS } from './contact-outcome.ts';

/** What a report makes of an attempt. */
export interface ResultWrite {
  attemptId: number;
  fields: ResultFields;
  status: AttemptStatus;
  optOut: boolean;
  /** Of all reports that are remembered. */
  hashes: readonly string[];
}

/** The attempt alone. A call with a result was a call: it counts as accepted whatever became of the switch's reply. */
export function updateAttempt({ attemptId, fields, status, optOut, hashes }: ResultWrite): RawBuilder<unknown> {
  return sql`
    update attempt set status = ${status}, call_status = ${fields.callStatus}, started_at = ${instant(fields.startedAt)},
      answered_at = ${instant(fields.answeredAt)}, ended_at = ${instant(fields.endedAt)}, duration_seconds = ${fields.durationSeconds},
      hangup_cause = ${fields.hangupCause}, hangup_by = ${fields.hangupBy}, recording_url = ${fields.recordingUrl},
      classification = ${fields.classification}, intent = ${fields.intent}, recognized_text = ${fields.recognizedText},
      payload = ${fields.payload === null ? null : json(fields.payload)},
      reported_times = ${fields.reportedTimes === null ? null : json(fields.reportedTimes)}, opt_out = opt_out or ${optOut},
      accepted_at = coalesce(accepted_at, now()), result_at = coalesce(result_at, now()), result_hashes = ${[...hashes]}::text[]
    where id = ${attemptId} returning id, contact_id, caller_number`;
}

/** Attempt, transcript and contact in one statement; a late answer also ends a planned retry. */
export function writeFirstResult(write: ResultWrite, report: ResultReport, outcome: ContactOutcome): RawBuilder<unknown> {
  return sql`
    with ending as (
      select * from jsonb_to_recordset(${json([{ id: write.attemptId, ...outcome }])}) as e(id bigint, ${OUTCOME_COLUMNS})),
    ended as (${updateAttempt(write)}),
    said as (${insertTranscript(write.attemptId, report)})
    ${moveContacts(sql`c.status in ('submitted', 'failed', 'completed')`)}`;
}

/** A later report never mixes its transcript into the first one. */
export function insertTranscript(attemptId: number, { transcript }: ResultReport): RawBuilder<unknown> {
  const rows: JsonObject[] = transcript.map((segment, position) => ({ ...segment, position }));
  return sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms, node_id)
    select ${attemptId}, t.position::text, t.position, t.speaker, t.text, round(t."startMs"), round(t."endMs"), t."nodeId"
    from jsonb_to_recordset(${json(rows)}) as t(position int, speaker text, text text, "startMs" float8, "endMs" float8, "nodeId" text)
    where not exists (select 1 from transcript_segment where attempt_id = ${attemptId})`;
}

export function addOptOut(number: { phoneNumber: string; dialKey: string }, reason: string | null): RawBuilder<unknown> {
  return sql`
    insert into do_not_call (phone_number, dial_key, reason, source)
    values (${number.phoneNumber}, ${number.dialKey}, ${reason ?? '客户要求不再来电'}, 'callback')
    on conflict (dial_key) do update set reason = excluded.reason, source = excluded.source, expires_at = null`;
}
