import { createHash } from 'node:crypto';
import { contradictsAnswer, isAnswered, type CallStatus } from '#protocol/call-status.ts';
import { NO_SCRIPT_CAUSE } from '#campaigns/decisions/campaign-states.ts';
import { callbackFault, type CallbackPromise } from '#callbacks/callback.ts';
import { recordingName } from '#protocol/result.ts';
import type { ResultOutcome, ResultReport } from '../outcome-store.ts';
import type { AttemptStatus, ReportedTimes } from '#attempts/attempt.ts';
import { clockSkew, differingTimes, placeTimes, type SeenTimes } from './call-times.ts';
import { asCounted, asReported, type FindingColumns, type KnownFields, reportedValues, withValues } from './reported-fields.ts';

/** Columns that a later, different report may fill; conflicts are listed in this order. */
const FIELDS = [
  'callStatus',
  'startedAt',
  'answeredAt',
  'endedAt',
  'durationSeconds',
  'hangupCause',
  'hangupBy',
  'recordingUrl',
  'classification',
  'intent',
  'recognizedText',
  'payload',
] as const satisfies readonly (keyof ResultReport)[];

/** Columns that a result writes into an attempt; null: not reported. */
export interface ResultFields extends Pick<ResultReport, (typeof FIELDS)[number]>, FindingColumns {
  reportedTimes: ReportedTimes | null;
}

/** Limit of remembered report hashes per call, for recognising repetitions. */
const MAX_HASHES = 8;

interface KnownResult extends ResultFields {
  /** UTC ms. */
  claimedAt: number | null;
}

/** State of an attempt when a report arrives. */
export interface ReportedAttempt extends KnownResult, KnownFields {
  status: AttemptStatus;
  /** Hashes of the reports received. */
  hashes: readonly string[];
}

export type ReportReading =
  | { kind: 'duplicate' }
  /** `status`: of the attempt after this report; `hashes`: all remembered ones. */
  | (FirstReading & { kind: 'first'; status: AttemptStatus; hashes: readonly string[]; isScriptless: boolean })
  | { kind: 'later'; status: AttemptStatus; fields: ResultFields; hashes: readonly string[]; conflicts: string[] };

/** The outcome returned to the edge that received the report. */
export function resultOutcome(
  { id: attemptId, requestId, campaignId, status }: { id: number; requestId: string; campaignId: number; status: AttemptStatus },
  reading: ReportReading,
  outboxId: number | null,
): ResultOutcome {
  const answer = { kind: 'applied', attemptId, requestId, campaignId } as const;
  if (reading.kind === 'duplicate') return { ...answer, status, duplicate: true, conflicts: [], outboxId: null };
  const said = { ...answer, status: reading.status, duplicate: false, conflicts: reading.conflicts, outboxId };
  if (reading.kind === 'later') return said;
  const { clockSkewMs, conflicts } = reading;
  return { ...said, ...(conflicts.length > 0 && { isFirst: true }), ...(clockSkewMs !== null && { clockSkewMs }) };
}

interface FirstReading {
  fields: ResultFields;
  /** The callback that the customer was promised; null: none, or one that cannot be kept. */
  callback: CallbackPromise | null;
  /** Reported fields with impossible values, which were not stored. */
  conflicts: string[];
  /** End of the call according to switch and server, UTC ms; retries are timed from it. */
  overAt: number;
  /** Deviation of the runtime's clock, ms; null when nothing indicates one. */
  clockSkewMs: number | null;
}

/**
 * Applies a report to its attempt: the first report wins, even over an inferred end; a later, different one only fills gaps.
 *
 * Source: D7.7, A7
 */
export function readReport(known: ReportedAttempt, report: ResultReport, now: number): ReportReading {
  const hash = hashOfReport(report);
  if (known.hashes.includes(hash)) return { kind: 'duplicate' };
  const hashes = [...known.hashes, hash].slice(-MAX_HASHES);
  const reported = asReported(known);
  if (known.hashes.length > 0) {
    return { kind: 'later', status: known.status, ...collecting(known, report, laterResult(reported, report)), hashes };
  }
  const first = collecting(known, report, firstResult(reported, report, now));
  const isScriptless = report.endReason === 'no_script';
  return { kind: 'first', status: resultStatus(first.fields.callStatus), ...first, hashes, isScriptless };
}

/** The reading with the values of the script's fields, and with what people have said above all that was reported. */
function collecting<Reading extends { fields: ResultFields; conflicts: string[] }>(
  known: ReportedAttempt,
  { payload }: ResultReport,
  reading: Reading,
): Reading {
  const { resultFields, conflicts } = withValues(reading.fields.resultFields, reportedValues(known, payload));
  return {
    ...reading,
    fields: asCounted({ ...reading.fields, resultFields }, known),
    conflicts: [...reading.conflicts, ...conflicts],
  };
}

/**
 * The attempt after its first report. The report overrides the switch, except for times and the fact of an answer; missing values are
 * derived.
 *
 * Why:    without a reported status an answered call is completed, any other keeps the status from the switch
 * Source: D7.7
 */
export function firstResult(known: KnownResult, report: ResultReport, now: number): FirstReading {
  const seen = seenTimes(known, report, now);
  const { durationSeconds, ...times } = placeTimes(seen, report);
  const isScriptless = report.endReason === 'no_script';
  const isContradicted = seen.answeredAt !== null && contradictsAnswer(report.callStatus);
  const reported = isContradicted ? null : report.callStatus;
  const callStatus = isScriptless ? 'failed' : (reported ?? (times.answeredAt === null ? (known.callStatus ?? 'failed') : 'completed'));
  const fields = {
    callStatus,
    ...times,
    durationSeconds,
    hangupCause: isScriptless ? NO_SCRIPT_CAUSE : (report.hangupCause ?? known.hangupCause),
    hangupBy: report.hangupBy ?? known.hangupBy,
    recordingUrl: recordingName(report.recordingUrl) ?? known.recordingUrl,
    classification: report.classification ?? known.classification,
    intent: report.intent ?? known.intent,
    recognizedText: report.recognizedText ?? known.recognizedText,
    payload: report.payload ?? known.payload,
    resultFields: known.resultFields,
    resultLayers: known.resultLayers,
    reportedTimes: differingTimes({ ...times, durationSeconds }, report),
  };
  const { callback = null } = report;
  const isPast = callback !== null && callbackFault(callback, now) !== null;
  const conflicts = [...(isContradicted ? ['callStatus'] : []), ...(isPast ? ['callbackAt'] : [])];
  return { fields, callback: isPast ? null : callback, conflicts, overAt: seen.lastAt, clockSkewMs: clockSkew(seen, report, now) };
}

/** An end without a cause only tells when the call was missed. Nor is an end used when the runtime reports an answer that the switch did not. */
function seenTimes(known: KnownResult, { seen, ...report }: ResultReport, now: number): SeenTimes {
  const answeredAt = known.answeredAt ?? seen?.answeredAt ?? null;
  const isEndSeen = known.hangupCause !== null && (answeredAt !== null || report.answeredAt === null);
  const hungUpAt = (isEndSeen ? known.endedAt : null) ?? seen?.hungUpAt ?? null;
  const { claimedAt, startedAt } = known;
  const lastAt = Math.max(startedAt ?? claimedAt ?? -Infinity, answeredAt ?? -Infinity, hungUpAt ?? known.endedAt ?? now);
  return { claimedAt, startedAt, answeredAt, hungUpAt, lastAt };
}

/**
 * The attempt after a later, different report: only empty fields are filled.
 *
 * Shape:  `conflicts` names the reported fields that were not stored
 * Source: D7.7
 */
export function laterResult(known: ResultFields, report: ResultReport): { fields: ResultFields; conflicts: string[] } {
  const reported: Pick<ResultFields, (typeof FIELDS)[number]> = { ...report, recordingUrl: recordingName(report.recordingUrl) };
  const fields = { ...known };
  const conflicts: string[] = [];
  for (const field of FIELDS) {
    if (reported[field] === null) continue;
    if (known[field] === null && fits(known, field, reported[field])) Object.assign(fields, { [field]: reported[field] });
    else if (canonical(known[field]) !== canonical(reported[field])) conflicts.push(field);
  }
  return { fields, conflicts };
}

/** A time before the start or after the end of the call is impossible. */
function fits({ startedAt, endedAt }: ResultFields, field: keyof ResultReport, value: unknown): boolean {
  if (!field.endsWith('At') || typeof value !== 'number') return true;
  return value >= (startedAt ?? value) && value <= (endedAt ?? value);
}

/** A call answered by a human completes attempt and contact, any other fails them (D7.1). */
export function resultStatus(callStatus: CallStatus | null): 'completed' | 'failed' {
  return isAnswered(callStatus) ? 'completed' : 'failed';
}

/** Equal for equal reports, whatever the order of members; the ids that locate the call are ignored. */
export function hashOfReport(report: ResultReport): string {
  return createHash('sha256')
    .update(canonical({ ...report, requestId: null, attemptId: null, seen: undefined }))
    .digest('base64url');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
