import { createHash } from 'node:crypto';
import { isAnswered, type CallStatus } from '#rules/call-status.ts';
import { NO_SCRIPT_CAUSE } from '#rules/scriptless-calls.ts';
import { recordingName } from '#rules/recording-name.ts';
import type { ResultReport } from '#ports/dial-store.ts';
import type { AttemptStatus, ReportedTimes } from '#model/attempt.ts';

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

/** Largest value of the column, s. */
const MAX_DURATION_SECONDS = 2_147_483_647;

/** Reports of one call that are recognised when they come again. */
const MAX_HASHES = 8;

/** What is known of an attempt when a report of it comes. */
export interface ReportedAttempt extends ResultFields {
  status: AttemptStatus;
  /** Of the reports that have come. */
  hashes: readonly string[];
}

export type ReportReading =
  | { kind: 'duplicate' }
  /** `status`: of the attempt with this report; `hashes`: of all reports that are remembered. */
  | { kind: 'first'; status: AttemptStatus; fields: ResultFields; hashes: readonly string[]; conflicts: readonly []; isScriptless: boolean }
  | { kind: 'later'; status: AttemptStatus; fields: ResultFields; hashes: readonly string[]; conflicts: string[] };

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
  const fields = firstResult(known, report, now);
  const isScriptless = report.endReason === 'no_script';
  return { kind: 'first', status: resultStatus(fields.callStatus), fields, hashes, conflicts: [], isScriptless };
}

/**
 * The attempt after its first report: what is reported wins over what the switch reported, except for its times, and what neither says is derived.
 *
 * Why:    without a status, a call with an answer is completed and any other keeps what the switch reported
 * Source: D7.7
 */
export function firstResult(known: ResultFields, report: ResultReport, now: number): ResultFields {
  const answeredAt = known.answeredAt ?? report.answeredAt;
  const startedAt = known.startedAt ?? report.startedAt;
  const endedAt = (sawTheEnd(known, report) ? null : report.endedAt) ?? known.endedAt ?? report.endedAt ?? now;
  const isScriptless = report.endReason === 'no_script';
  const callStatus = isScriptless ? 'failed' : (report.callStatus ?? (answeredAt === null ? (known.callStatus ?? 'failed') : 'completed'));
  return {
    callStatus,
    startedAt,
    answeredAt,
    endedAt,
    durationSeconds: durationOf(report.durationSeconds, { callStatus, answeredAt, endedAt }),
    hangupCause: isScriptless ? NO_SCRIPT_CAUSE : (report.hangupCause ?? known.hangupCause),
    hangupBy: report.hangupBy ?? known.hangupBy,
    recordingUrl: recordingName(report.recordingUrl) ?? known.recordingUrl,
    classification: report.classification ?? known.classification,
    intent: report.intent ?? known.intent,
    recognizedText: report.recognizedText ?? known.recognizedText,
    payload: report.payload ?? known.payload,
    reportedTimes: differingTimes({ startedAt, answeredAt, endedAt }, report),
  };
}

/** An end without a cause is the time at which the call was missed, and an end cannot be told from a clock that saw no answer. */
function sawTheEnd(known: ResultFields, report: ResultReport): boolean {
  return known.hangupCause !== null && (known.answeredAt !== null || report.answeredAt === null);
}

const TIMES = ['startedAt', 'answeredAt', 'endedAt'] as const satisfies readonly (keyof ReportedTimes)[];
/** What the clocks of two machines and the way between them may differ by, ms. */
const CLOCK_SKEW_MS = 1_000;

function differingTimes(taken: Times, reported: Times): ReportedTimes | null {
  const differs = (name: keyof ReportedTimes) => Math.abs((taken[name] ?? NaN) - (reported[name] ?? NaN)) > CLOCK_SKEW_MS;
  const differing = TIMES.filter(differs).map(name => [name, reported[name]]);
  return differing.length === 0 ? null : Object.fromEntries(differing);
}

type Times = Pick<ResultFields, keyof ReportedTimes>;

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
    if (known[field] === null) Object.assign(fields, { [field]: reported[field] });
    else if (canonical(known[field]) !== canonical(reported[field])) conflicts.push(field);
  }
  return { fields, conflicts };
}

/** D7.7: end − answer when not given, 0 when not answered. */
function durationOf(given: number | null, call: { callStatus: CallStatus; answeredAt: number | null; endedAt: number }): number {
  const seconds = given ?? (call.answeredAt === null ? 0 : Math.floor((call.endedAt - call.answeredAt) / 1_000));
  return Math.min(MAX_DURATION_SECONDS, Math.max(0, Math.round(seconds)));
}

/** D7.1: a call that reached a person completes attempt and contact, any other fails them. */
export function resultStatus(callStatus: CallStatus | null): 'completed' | 'failed' {
  return isAnswered(callStatus) ? 'completed' : 'failed';
}

/** The same for equal reports however their members are ordered; how the call is located does not count. */
export function hashOfReport(report: ResultReport): string {
  return createHash('sha256')
    .update(canonical({ ...report, requestId: null, attemptId: null }))
    .digest('base64url');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
