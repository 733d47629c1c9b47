import type { CallbackPromise, DuePromise } from '#callbacks/callback.ts';
import type { CallStatus, EndReason } from '#protocol/call-status.ts';
import type { SwitchSignals } from './decisions/outcome.ts';
import type { BusinessConfig } from '#campaigns/campaign.ts';
import type { HangupBy, OpenAttemptStatus, RingbackDetection, Speaker } from '#attempts/attempt.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';

/**
 * Records the progress, end and result of calls, and reverts claims that were not dialled. Each method is one transaction and uses the database
 * clock.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: A6 steps 7–9; D7
 */
export interface OutcomeStore {
  /**
   * Undoes claims that were certainly not dialled: attempt `cancelled`, contact back, no retry used. Only `claimed` attempts; with
   * `alsoDialing` also those marked `dialing`.
   */
  revert(requestIds: readonly string[], options: { alsoDialing: boolean; reason: string }): Promise<number>;
  /** Closes open attempts without a runtime result; closed ones are unchanged. Decides the retry (D7.1) and completes batches. */
  settle(outcomes: readonly SettledDial[]): Promise<{ requestId: string; settled: boolean }[]>;
  /** Records what switch and runtimes have reported about running calls; one entry per call. */
  recordProgress(calls: readonly DialProgress[]): Promise<void>;
  /** Records the end of a call that outlasted its result; the contact's retry time moves with it. */
  recordEnd(requestId: string, endedAt: number): Promise<void>;
  recordRingback(requestId: string, detection: RingbackDetection, callStatus: CallStatus | null): Promise<void>;
  /**
   * Settles a call of unknown outcome from the switch's call detail record; null when the call is not (or no longer) of that kind. The contact
   * changes, too, unless it has been dialled again or a user has moved it.
   */
  settleUnknown(outcome: SettledDial): Promise<{ campaignId: number } | null>;
  /** Applies a runtime's result (D7.7) together with its outbox row, do-not-call entry and transcript. */
  applyResult(report: ResultReport): Promise<ResultOutcome>;
  /** Stores captions as transcript of an answered call whose result had none; a repetition adds what was said since. */
  keepCaptions(requestId: string, captions: readonly KeptCaption[]): Promise<void>;
  /** Open attempts by id, for reconciliation and rebuild. */
  openAttempts(afterId: number, limit: number): Promise<OpenAttempt[]>;
  findAttempts(requestIds: readonly string[]): Promise<OpenAttempt[]>;
  /** Attempts of a cell closed by a runtime's report within the last `withinMs`: their channels may still be up. Latest first. */
  closedByReport(cellId: string, withinMs: number, limit: number): Promise<OpenAttempt[]>;
  /** Facts that a call's actor and runtime need, read from the rows; for calls whose live state was lost. */
  loadDetails(requestIds: readonly string[]): Promise<CallDetails[]>;
  takeOutbox(limit: number, leaseMs: number): Promise<OutboxRow[]>;
  clearOutbox(ids: readonly number[]): Promise<void>;
}

/** Work due outside PostgreSQL after a commit. */
export interface OutboxRow {
  id: number;
  kind: 'result_applied';
  key: string;
  payload: JsonObject;
}

/** Progress of a call: the switch's reply to the originate, the answer, and the runtime that the customer hears. */
export interface DialProgress {
  requestId: string;
  replyText?: string;
  /** UTC ms. */
  answeredAt?: number;
  /** Name of the runtime, '' for an unregistered one; false when the customer hears none any more. */
  heard?: string | false;
}

export interface SettledDial {
  requestId: string;
  status: 'completed' | 'failed' | 'outcome_unknown' | 'cancelled';
  callStatus: CallStatus | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  replyText: string | null;
  /** UTC ms; null = now by the database clock. */
  endedAt: number | null;
  answeredAt: number | null;
  /** The switch, the line or the runtime failed: the attempt is not counted and the contact is due again after `OUR_FAULT_PAUSE_MS`. */
  isOurFault?: boolean;
  /** The far end never responded: a line fault, not counted against the contact until `MAX_SILENT_REPEATS`. */
  isSilent?: boolean;
  /** Report of the switch at the end; absent when it was not asked. */
  signals?: SwitchSignals | undefined;
  /** Answered and ended, but without a runtime result (D7.8). */
  isResultMissing?: boolean;
}

export interface OpenAttempt {
  id: number;
  requestId: string;
  campaignId: number;
  contactId: number;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
  status: OpenAttemptStatus | 'completed' | 'failed' | 'cancelled' | 'outcome_unknown';
  /** Age of the claim and of the dialing mark, ms, by the database clock. */
  claimedAgoMs: number;
  dialingAgoMs: number | null;
  /** UTC ms. */
  answeredAt: number | null;
  /** Name of the runtime that speaks with the customer, as far as is known; '' for an unregistered one, null for none. */
  heardRuntime: string | null;
  /** How long the customer has heard no runtime, ms by the database clock; null while one is heard, or before the answer. */
  unheardMs: number | null;
  /** The runtime has reported the result. */
  hasResult: boolean;
}

/** A validated result report (D7.7). */
export interface ResultReport {
  requestId: string | null;
  attemptId: number | null;
  callStatus: CallStatus | null;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  recordingUrl: string | null;
  classification: string | null;
  intent: string | null;
  recognizedText: string | null;
  optOut: boolean;
  optOutReason: string | null;
  /** The call that the customer was promised. */
  callback?: CallbackPromise;
  transcript: readonly { speaker: Speaker; text: string; startMs: number | null; endMs: number | null; nodeId: string | null }[];
  payload: JsonValue;
  endReason?: EndReason;
  /** Times recorded by the live call, in addition to the report; absent when there is no live call or it could not be read. */
  seen?: SeenCall;
}

/** A caption received during a call. */
export interface KeptCaption {
  segmentId: string;
  speaker: Speaker;
  text: string;
  startMs: number | null;
  endMs: number | null;
  nodeId: string | null;
  /** UTC ms; gives the position in the call when there is no offset. */
  at: number;
}

/** Times of the switch, UTC ms; null: not yet. */
export interface SeenCall {
  answeredAt: number | null;
  hungUpAt: number | null;
  signals?: SwitchSignals | undefined;
}

export type ResultOutcome =
  | {
      kind: 'applied';
      attemptId: number;
      requestId: string;
      campaignId: number;
      status: string;
      duplicate: boolean;
      /** Fields not taken over: contradicted by a later report, or impossible in a first one (`isFirst`). */
      conflicts: string[];
      isFirst?: boolean;
      /** Deviation of the runtime's clock as far as the report shows it, ms. */
      clockSkewMs?: number;
      outboxId: number | null;
    }
  | { kind: 'not_found' };

/** Static facts of a call: stored with its actor and sent to the runtime over NATS. */
export interface CallDetails {
  requestId: string;
  attemptId: number;
  batchId: number | null;
  campaignId: number;
  campaignName: string;
  businessCode: string;
  contactId: number;
  phoneNumber: string;
  customerName: string;
  cellId: string;
  scriptId: number | null;
  scriptVersion: number | null;
  businessConfig: BusinessConfig;
  metadata: JsonObject;
  /** Text that the runtime leaves on a mailbox; absent or null: none. Source: D7.14 */
  mailboxText?: string | null;
  /** The promise that the call keeps; null or absent: none. Source: D7.12 */
  callback?: DuePromise | null;
  /** A test call, which counts nowhere. Absent: false. Source: D7.16 */
  isTest?: boolean;
}

export interface OutcomesPart {
  dials: OutcomeStore;
}
