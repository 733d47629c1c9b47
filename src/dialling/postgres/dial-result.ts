import { sql } from 'kysely';
import { contactOutcome, type ContactOutcome } from '../decisions/contact-outcome.ts';
import { readReport, type ReportedAttempt, type ReportReading } from '../decisions/result-report.ts';
import { afterScriptless, scriptKey, type ScriptlessCalls, type ScriptVersion } from '#rules/scriptless-calls.ts';
import type { DialStore, ResultOutcome, ResultReport } from '#ports/dial-store.ts';
import type { Database, Sql } from '#adapters/postgres/database.ts';
import { refreshBatches } from './dial-batches.ts';
import { addToOutbox } from './outbox.ts';
import { addOptOut, insertTranscript, updateAttempt, writeFirstResult } from './result-write.ts';
import { retryLimits } from './retry-limits.ts';
import { json } from '#adapters/postgres/values.ts';

/** An answered call asks for no limits: nothing is dialled again. */
const UNASKED = { maxRetries: 0, retryIntervalSeconds: 0 };

interface LockedAttempt extends ReportedAttempt {
  id: number;
  requestId: string;
  campaignId: number;
  batchId: number | null;
  isAccepted: boolean;
  phoneNumber: string;
  dialKey: string;
  attemptCount: number;
  /** The script that the call should have had. */
  script: ScriptVersion | null;
  scriptless: ScriptlessCalls | null;
  now: number;
}

/**
 * Writes the runtime's result with everything that belongs to it in one transaction.
 *
 * Source: D7.7, A6 step 9, A7
 */
export function applyResult(db: Database): DialStore['applyResult'] {
  return report => db.transaction(tx => apply(tx, report));
}

async function apply(tx: Sql, report: ResultReport): Promise<ResultOutcome> {
  const attempt = await lockAttempt(tx, report);
  if (!attempt) return { kind: 'not_found' };
  const { id: attemptId, requestId, campaignId, status } = attempt;
  const answer = { kind: 'applied', attemptId, requestId, campaignId } as const;
  const reading = readReport(attempt, report, attempt.now);
  if (reading.kind === 'duplicate') return { ...answer, status, duplicate: true, conflicts: [], outboxId: null };
  if (report.optOut) await tx.run(addOptOut(attempt, report.optOutReason));
  const outboxId = reading.kind === 'first' ? await applyFirst(tx, { attempt, report, reading }) : null;
  if (reading.kind === 'later') await applyLater(tx, { attempt, report, reading });
  return { ...answer, status: reading.status, duplicate: false, conflicts: [...reading.conflicts], outboxId };
}

interface Application<Kind extends ReportReading['kind']> {
  attempt: LockedAttempt;
  report: ResultReport;
  reading: Extract<ReportReading, { kind: Kind }>;
}

/** Returns the id of its outbox row. */
async function applyFirst(tx: Sql, { attempt, report, reading }: Application<'first'>): Promise<number> {
  const { id: attemptId, campaignId } = attempt;
  const outcome = await decideContact(tx, attempt, reading);
  await tx.run(writeFirstResult({ attemptId, ...reading, optOut: report.optOut }, report, outcome));
  const outboxId = await addToOutbox(tx, 'result_applied', attempt.requestId, { attemptId, campaignId });
  // Its batch counts an accepted call already.
  if (!attempt.isAccepted) await refreshBatches(tx, [attempt.batchId]);
  await countScriptless(tx, attempt, reading.isScriptless);
  return outboxId;
}

async function applyLater(tx: Sql, { attempt, report, reading }: Application<'later'>): Promise<void> {
  await tx.run(updateAttempt({ attemptId: attempt.id, ...reading, optOut: report.optOut }));
  if (report.transcript.length > 0) await tx.run(insertTranscript(attempt.id, report));
}

async function decideContact(tx: Sql, attempt: LockedAttempt, reading: Application<'first'>['reading']): Promise<ContactOutcome> {
  const { status, fields, isScriptless } = reading;
  const limits = status === 'completed' ? UNASKED : (await retryLimits(tx, [attempt.campaignId]))(attempt.campaignId);
  const { attemptCount, now } = attempt;
  return contactOutcome({ callStatus: fields.callStatus, attemptCount, endedAt: fields.endedAt ?? now, isScriptless, ...limits });
}

/** A row that calls in a row leave alone is not locked: results of one campaign do not wait for each other. */
async function countScriptless(tx: Sql, { campaignId, scriptless, script, now }: LockedAttempt, isScriptless: boolean): Promise<void> {
  if (!isScriptless && scriptless === null) return;
  if (!isScriptless) {
    await tx.run(sql`update campaign set scriptless = null where id = ${campaignId} and scriptless is not null`);
    return;
  }
  const known = await tx.first(sql<{ scriptless: ScriptlessCalls | null }>`
    select scriptless from campaign where id = ${campaignId} for no key update`);
  const calls = afterScriptless(known?.scriptless ?? null, scriptKey(script), now);
  await tx.run(sql`update campaign set scriptless = ${json(calls)}, next_wake_at = now() where id = ${campaignId}`);
}

/** D7.7: by `requestId`, else by `attemptId`. The contact too: a later claim of it may just be taken back (dial-mark.ts). */
async function lockAttempt(tx: Sql, { requestId, attemptId }: ResultReport): Promise<LockedAttempt | undefined> {
  const isIt = requestId === null ? sql`a.id = ${attemptId}` : sql`a.request_id = ${requestId}::uuid`;
  return tx.first(sql<LockedAttempt>`
    select a.id, a.request_id as "requestId", a.campaign_id as "campaignId", a.batch_id as "batchId", a.status,
      a.accepted_at is not null as "isAccepted", a.phone_number as "phoneNumber", a.dial_key as "dialKey",
      c.attempt_count as "attemptCount", a.result_hashes as hashes, now() as now,
      (select scriptless from campaign where id = a.campaign_id) as scriptless,
      case when a.script_id is not null then jsonb_build_object('scriptId', a.script_id, 'version', a.script_version) end as script,
      a.call_status as "callStatus", a.started_at as "startedAt", a.answered_at as "answeredAt", a.ended_at as "endedAt",
      a.duration_seconds as "durationSeconds", a.hangup_cause as "hangupCause", a.hangup_by as "hangupBy", a.recording_url as "recordingUrl",
      a.classification, a.intent, a.recognized_text as "recognizedText", a.payload,
      a.reported_times as "reportedTimes"
    from attempt a join contact c on c.id = a.contact_id where ${isIt} for no key update`);
}
