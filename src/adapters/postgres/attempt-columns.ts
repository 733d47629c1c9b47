import { sql } from 'kysely';
import type { Attempt } from '#ports/records.ts';
import { RESULT_MISSING } from './result-missing.ts';

/** Columns of an attempt under the names of the record `Attempt`; the table's alias is `a`. Source: D7.9 */
export const ATTEMPT_COLUMNS = sql<Attempt>`
  a.id, a.request_id as "requestId", a.campaign_id as "campaignId", a.contact_id as "contactId", a.batch_id as "batchId",
  a.line_id as "lineId", a.caller_number as "callerNumber", a.cell_id as "cellId", a.phone_number as "phoneNumber", a.status,
  a.call_status as "callStatus", a.hangup_cause as "hangupCause", a.hangup_by as "hangupBy", a.reply_text as "replyText",
  a.ringback_detection as "ringbackDetection", a.script_id as "scriptId", a.script_version as "scriptVersion",
  a.started_at as "startedAt", a.answered_at as "answeredAt", a.ended_at as "endedAt", a.duration_seconds as "durationSeconds",
  a.recording_url as "recordingUrl", a.recognized_text as "recognizedText", a.classification, a.intent,
  a.emotion_status as "emotionStatus", a.emotion, a.direction, a.payload, a.reported_times as "reportedTimes", (${RESULT_MISSING}) as "resultMissing",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;
