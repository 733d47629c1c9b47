import { createHash } from 'node:crypto';
import { contradictsAnswer, isAnswered, type CallStatus } from '#rules/call-status.ts';
import { NO_SCRIPT_CAUSE } from '#rules/scriptless-calls.ts';
import { recordingName } from '#rules/recording-name.ts';
import type { ResultOutcome, ResultReport } from '#ports/dial-store.ts';
import type { AttemptStatus, ReportedTimes } from '#model/attempt.ts';
import { clockSkew, differingTimes, placeTimes, type SeenTimes } from './call-times.ts';

/** The columns that a later, different report may fill, in the order in which conflicts are listed. */
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

/** What a result writes into an attempt; null = says nothing. */
export interface ResultFields extends Pick<ResultReport, (typeof FIELDS)[number]> {
  reportedTimes: ReportedTimes | null;
}

/** Reports of one call that are recognised when they come again. */
const MAX_HASHES = 8;

interface KnownResult extends ResultFields {
  /** UTC ms. */
  claimedAt: number | null;
}

/** What is known of an attempt when a report of it comes. */
export interface ReportedAttempt extends KnownResult {
  status: AttemptStatus;
  /** Of the reports that have come. */
  hashes: readonly string[];
}

export type ReportReading =
  | { kind: 'duplicate' }
  /** `status`: of the attempt with this report; `hashes`: of all reports that are remembered. */
  | (FirstReading & { kind: 'first'; status: AttemptStatus; hashes: readonly string[]; isScriptless: boolean })
  | { kind: 'later'; status: AttemptStatus; fields: ResultFields; hashes: readonly string[]; conflicts: string[] };

/** What the reporter's edge is told of it. */
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
  /** Fields of the report that cannot be, and were not taken. */
  conflicts: string[];
  /** When the call was over for the switch and the server, UTC ms: a retry counts from then. */
  overAt: number;
  /** How wrong the runtime's clock goes, ms; null: nothing shows that it is wrong. */
  clockSkewMs: number | null;
}

/**
 * What a report makes of its attempt: the first one wins, also over an end that was only inferred; a different one that comes later fills gaps.
 *
 * Source: D7.7, A7
 */
export function readReport(known: ReportedAttempt, report: ResultReport, now: number): ReportReading {
  const hash = hashOfReport(report);
  if (known.hashes.includes(hash)) return { kind: 'duplicate' };
  const hashes = [...known.hashes, hash].slice(-MAX_HASHES);
  if (known.hashes.length > 0) return { kind: 'later', status: known.status, ...laterResult(known, report), hashes };
  const first = firstResult(known, report, now);
  const isScriptless = report.endReason === 'no_script';
  return { kind: 'first', status: resultStatus(first.fields.callStatus), ...first, hashes, isScriptless };
}

/**
 * The attempt after its first report: what is reported wins over what the switch reported, except for its times and its answer, and what neither
 * says is derived.
 *
 * Why:    without a status, a call with an answer is completed and any other keeps what the switch reported
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
    reportedTimes: differingTimes({ ...times, durationSeconds }, report),
  };
  return { fields, conflicts: isContradicted ? ['callStatus'] : [], overAt: seen.lastAt, clockSkewMs: clockSkew(seen, report, now) };
}

/** An end without a cause is the time at which the call was missed, and an end cannot be told from a clock that saw no answer. */
function seenTimes(known: KnownResult, { seen, ...report }: ResultReport, now: number): SeenTimes {
  const answeredAt = known.answeredAt ?? seen?.answeredAt ?? null;
  const isEndSeen = known.hangupCause !== null && (answeredAt !== null || report.answeredAt === null);
  const hungUpAt = (isEndSeen ? known.endedAt : null) ?? seen?.hungUpAt ?? null;
  const { claimedAt, startedAt } = known;
  const lastAt = Math.max(startedAt ?? claimedAt ?? -Infinity, answeredAt ?? -Infinity, hungUpAt ?? known.endedAt ?? now);
  return { claimedAt, startedAt, answeredAt, hungUpAt, lastAt };
}

/**
 * The attempt after a later, different report: only what was empty is taken.
 *
 * Shape:  `conflicts` names the fields whose reported value was not taken
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

/** An instant before the start or after the end of the call cannot be. */
function fits({ startedAt, endedAt }: ResultFields, field: keyof ResultReport, value: unknown): boolean {
  if (!field.endsWith('At') || typeof value !== 'number') return true;
  return value >= (startedAt ?? value) && value <= (endedAt ?? value);
}

/** D7.1: a call that reached a person completes attempt and contact, any other fails them. */
export function resultStatus(callStatus: CallStatus | null): 'completed' | 'failed' {
  return isAnswered(callStatus) ? 'completed' : 'failed';
}

/** The same for equal reports however their members are ordered; how the call is located does not count. */
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
