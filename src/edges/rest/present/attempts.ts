import type { AttemptRow } from '#contract/rest/attempts.ts';
import type { BatchRow } from '#contract/rest/batches.ts';
import type { Attempt, Batch, ReportedTimes } from '#ports/records.ts';
import { presentInstant } from './instant.ts';

/** Source: D7.9; OCS 4.16 */
export function presentAttempt(attempt: Attempt): AttemptRow {
  return {
    id: attempt.id,
    requestId: attempt.requestId,
    campaignId: attempt.campaignId,
    contactId: attempt.contactId,
    batchId: attempt.batchId,
    lineId: attempt.lineId,
    callerNumber: attempt.callerNumber,
    cellId: attempt.cellId,
    phoneNumber: attempt.phoneNumber,
    status: attempt.status,
    callStatus: attempt.callStatus,
    hangupCause: attempt.hangupCause,
    hangupBy: attempt.hangupBy,
    replyText: attempt.replyText,
    ringbackDetection: attempt.ringbackDetection,
    scriptId: attempt.scriptId,
    scriptVersion: attempt.scriptVersion,
    startedAt: presentInstant(attempt.startedAt),
    answeredAt: presentInstant(attempt.answeredAt),
    endedAt: presentInstant(attempt.endedAt),
    durationSeconds: attempt.durationSeconds,
    recordingUrl: attempt.recordingUrl,
    recognizedText: attempt.recognizedText,
    classification: attempt.classification,
    intent: attempt.intent,
    emotionStatus: attempt.emotionStatus,
    emotion: attempt.emotion,
    direction: attempt.direction,
    payload: attempt.payload,
    reportedTimes: presentReportedTimes(attempt.reportedTimes),
    resultMissing: attempt.resultMissing,
    createdAt: presentInstant(attempt.createdAt),
    updatedAt: presentInstant(attempt.updatedAt),
  };
}

export function presentReportedTimes(times: ReportedTimes | null) {
  if (times === null) return null;
  const { startedAt = null, answeredAt = null, endedAt = null } = times;
  return { startedAt: presentInstant(startedAt), answeredAt: presentInstant(answeredAt), endedAt: presentInstant(endedAt) };
}

/** Source: D7.3 */
export function presentBatch(batch: Batch): BatchRow {
  return {
    id: batch.id,
    campaignId: batch.campaignId,
    status: batch.status,
    source: batch.source,
    requestedLimit: batch.requestedLimit,
    effectiveLimit: batch.effectiveLimit,
    requested: batch.requested,
    submitted: batch.submitted,
    failed: batch.failed,
    createdBy: batch.createdBy,
    finishedAt: presentInstant(batch.finishedAt),
    createdAt: presentInstant(batch.createdAt),
    updatedAt: presentInstant(batch.updatedAt),
  };
}
