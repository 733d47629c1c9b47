import { type RawBuilder, sql } from 'kysely';
import { decideRetry } from '#rules/retry.ts';
import type { DialStore, ResultOutcome, ResultReport } from '#ports/dial-store.ts';
import type { AttemptStatus } from '#ports/records.ts';
import type { Database, Sql } from './database.ts';
import { refreshBatches } from './dial-batches.ts';
import { addToOutbox } from './outbox.ts';
import { firstResult, hashOfReport, laterResult, type ResultFields, resultStatus } from './result-report.ts';
import { retryLimits } from './retry-limits.ts';
import { instant, json } from './values.ts';

/** Reports of one call that are recognised when they come again. */
const MAX_HASHES = 8;

interface LockedAttempt extends ResultFields {
  id: number;
  requestId: string;
  campaignId: number;
  contactId: number;
  batchId: number | null;
  status: AttemptStatus;
  phoneNumber: string;
  dialKey: string;
  attemptCount: number;
  hashes: string[];
  now: number;
}

/**
 * Writes the runtime's result with everything that belongs to it in one transaction.
 *
 * Why:    the first report wins also over an end that was only inferred (`outcome_unknown`, a hang-up event)
 * Source: D7.7, A6 step 9, A7
 */
export function applyResult(db: Database): DialStore['applyResult'] {
  return report => db.transaction(tx => apply(tx, report));
}

async function apply(tx: Sql, report: ResultReport): Promise<ResultOutcome> {
  const attempt = await lockAttempt(tx, report);
  if (!attempt) return { kind: 'not_found' };
  const hash = hashOfReport(report);
  const answer = { kind: 'applied', attemptId: attempt.id, requestId: attempt.requestId, campaignId: attempt.campaignId } as const;
  if (attempt.hashes.includes(hash)) {
    return { ...answer, status: attempt.status, duplicate: true, conflicts: [], outboxId: null };
  }
  if (report.optOut) await addOptOut(tx, attempt, report);
  await writeTranscript(tx, attempt.id, report);
  if (attempt.hashes.length > 0) {
    const { fields, conflicts } = laterResult(attempt, report);
    await tx.run(writeFields(attempt, { fields, status: attempt.status, hash, optOut: report.optOut }));
    return { ...answer, status: attempt.status, duplicate: false, conflicts, outboxId: null };
  }
  const fields = firstResult(attempt, report, attempt.now);
  const status = resultStatus(fields.callStatus);
  await tx.run(writeFields(attempt, { fields, status, hash, optOut: report.optOut }));
  await moveContact(tx, attempt, fields);
  const outboxId = await addToOutbox(tx, 'result_applied', attempt.requestId, { attemptId: attempt.id, campaignId: attempt.campaignId });
  await refreshBatches(tx, [attempt.batchId]);
  return { ...answer, status, duplicate: false, conflicts: [], outboxId };
}

/** D7.7: by `requestId`, else by `attemptId`. */
async function lockAttempt(tx: Sql, { requestId, attemptId }: ResultReport): Promise<LockedAttempt | undefined> {
  const isIt = requestId === null ? sql`a.id = ${attemptId}` : sql`a.request_id = ${requestId}::uuid`;
  return tx.first(sql<LockedAttempt>`
    select a.id, a.request_id as "requestId", a.campaign_id as "campaignId", a.contact_id as "contactId", a.batch_id as "batchId", a.status,
      a.phone_number as "phoneNumber", a.dial_key as "dialKey", c.attempt_count as "attemptCount", a.result_hashes as hashes, now() as now,
      a.call_status as "callStatus", a.started_at as "startedAt", a.answered_at as "answeredAt", a.ended_at as "endedAt",
      a.duration_seconds as "durationSeconds", a.hangup_cause as "hangupCause", a.hangup_by as "hangupBy", a.recording_url as "recordingUrl",
      a.classification, a.intent, a.recognized_text as "recognizedText", a.payload
    from attempt a join contact c on c.id = a.contact_id where ${isIt} for no key update of a`);
}

/** A call with a result was a call: it counts as accepted whatever became of the switch's reply. */
function writeFields(
  attempt: LockedAttempt,
  { fields, status, hash, optOut }: { fields: ResultFields; status: AttemptStatus; hash: string; optOut: boolean },
): RawBuilder<unknown> {
  const hashes = [...attempt.hashes, hash].slice(-MAX_HASHES);
  return sql`
    update attempt set status = ${status}, call_status = ${fields.callStatus}, started_at = ${instant(fields.startedAt)},
      answered_at = ${instant(fields.answeredAt)}, ended_at = ${instant(fields.endedAt)}, duration_seconds = ${fields.durationSeconds},
      hangup_cause = ${fields.hangupCause}, hangup_by = ${fields.hangupBy}, recording_url = ${fields.recordingUrl},
      classification = ${fields.classification}, intent = ${fields.intent}, recognized_text = ${fields.recognizedText},
      payload = ${fields.payload === null ? null : json(fields.payload)}, opt_out = opt_out or ${optOut},
      accepted_at = coalesce(accepted_at, now()), result_at = coalesce(result_at, now()), result_hashes = ${hashes}::text[]
    where id = ${attempt.id}`;
}

/** The contact follows while this attempt is its last and no person moved it; a late answer also ends a planned retry. */
async function moveContact(tx: Sql, attempt: LockedAttempt, { callStatus, endedAt }: ResultFields): Promise<void> {
  const limits = (await retryLimits(tx, [attempt.campaignId]))(attempt.campaignId);
  const retry = decideRetry({ callStatus, attemptCount: attempt.attemptCount, endedAt: endedAt ?? attempt.now, ...limits });
  await tx.run(sql`
    update contact set status = ${retry.contactStatus}, retry_at = ${instant(retry.retryAt)}, last_caller_number = a.caller_number
    from attempt a
    where a.id = ${attempt.id} and contact.id = a.contact_id and contact.last_attempt_id = a.id
      and contact.status in ('submitted', 'failed', 'completed')`);
}

async function addOptOut(tx: Sql, { phoneNumber, dialKey }: LockedAttempt, { optOutReason }: ResultReport): Promise<void> {
  await tx.run(sql`
    insert into do_not_call (phone_number, dial_key, reason, source) values (${phoneNumber}, ${dialKey}, ${optOutReason ?? '客户要求不再来电'}, 'callback')
    on conflict (dial_key) do update set reason = excluded.reason, source = excluded.source, expires_at = null`);
}

/** A later report never mixes its transcript into the first one. */
async function writeTranscript(tx: Sql, attemptId: number, { transcript }: ResultReport): Promise<void> {
  if (transcript.length === 0) return;
  const rows = transcript.map((segment, position) => ({ ...segment, position }));
  await tx.run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms, node_id)
    select ${attemptId}, t.position::text, t.position, t.speaker, t.text, round(t."startMs"), round(t."endMs"), t."nodeId"
    from jsonb_to_recordset(${json(rows)}) as t(position int, speaker text, text text, "startMs" float8, "endMs" float8, "nodeId" text)
    where not exists (select 1 from transcript_segment where attempt_id = ${attemptId})`);
}
