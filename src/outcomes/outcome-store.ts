import type { Breaker } from '#campaigns/decisions/breaker.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { BusinessConfig } from '#campaigns/business-config.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { Batch } from '#attempts/batch.ts';
import type { HangupBy, OpenAttemptStatus, RingbackDetection, Speaker } from '#attempts/attempt.ts';
import type { Policy } from '#policies/policy.ts';
import type { Line } from '#lines/line.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import type { EndReason, ScriptlessCalls } from '#campaigns/decisions/scriptless-calls.ts';
import type { SkipReason, SlotSkipReason } from '#campaigns/decisions/skip-reason.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';

/**
 * Business facts of dialling: claims, marks, outcomes. Each method is one transaction and uses the database clock.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: A6 steps 3, 5, 7–9; D5.5, D7, D8.6
 */
export interface DialStore {
  /** Running campaigns whose wake-up time has come (null = never set: due), most overdue first; `all` includes those still waiting. */
  dueCampaigns(limit: number, options: { all: boolean }): Promise<number[]>;
  /** Everything needed to decide about a campaign, read at one instant; null when deleted. */
  loadPlan(campaignId: number): Promise<DialPlan | null>;
  /** Like `loadPlan` for several campaigns at the same instant; in any order, without deleted ones. */
  loadPlans(campaignIds: readonly number[]): Promise<DialPlan[]>;
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /**
   * Marks `claimed` attempts as `dialing` and returns the ids marked. Rechecked: the attempt is still claimed, its batch running, its campaign
   * allows it, its number is neither on the do-not-call list nor in another call, policies are unchanged since the claim, the window is open,
   * and the line still belongs to the campaign and is enabled.
   */
  markDialing(requestIds: readonly string[]): Promise<string[]>;
  /**
   * Undoes claims that were certainly not dialled: attempt `cancelled`, contact back, no retry used. Only `claimed` attempts; with
   * `alsoDialing` also those marked `dialing`.
   */
  revert(requestIds: readonly string[], options: { alsoDialing: boolean; reason: string }): Promise<number>;
  /** Records what switch and runtimes have reported about running calls; one entry per call. */
  recordProgress(calls: readonly DialProgress[]): Promise<void>;
  /** Records the end of a call that outlasted its result; the contact's retry time moves with it. */
  recordEnd(requestId: string, endedAt: number): Promise<void>;
  recordRingback(requestId: string, detection: RingbackDetection, callStatus: CallStatus | null): Promise<void>;
  /** Closes open attempts without a runtime result; closed ones are unchanged. Decides the retry (D7.1) and completes batches. */
  settle(outcomes: readonly SettledDial[]): Promise<{ requestId: string; settled: boolean }[]>;
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
  /** Releases contacts whose hold has expired; returns the campaigns that gained contacts. */
  endDueHolds(limit: number): Promise<number[]>;
  /** Folds the appended counter rows of contacts and attempts, and those of overview and trend. */
  foldTallies(): Promise<void>;
  /** Reverts every `claimed` attempt of the campaign. Returns the request ids for slot release. */
  cancelClaims(campaignId: number, reason: string): Promise<string[]>;
  /** Clears the record of calls ended for lack of a script: the campaign dials again, including the contacts held for it. */
  forgetScriptless(campaignId: number): Promise<void>;
  cancelBatch(campaignId: number, batchId: number): Promise<{ batch: Batch; cancelledRequestIds: string[] } | 'not_found' | 'not_running'>;
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

export interface DialPlan {
  /** Instant of the read, UTC ms, by the database clock. */
  at: number;
  campaign: Campaign;
  /** Refusal that the last turn met for all dialable contacts; null when it met none of this kind. */
  phaseRefusal: SlotSkipReason | null;
  /** Version and breaker of the campaign's actor; the breaker is null until it has counted something. */
  actorVersion: number;
  breaker: Breaker | null;
  lines: Line[];
  /** Enabled policies, global ones and the campaign's own. */
  policies: Policy[];
  policyVersion: number;
  script: { scriptId: number; version: number } | null;
  /** The runtime of the campaign's business brings its own call flow; no script of ours is used. Source: D5.6 */
  runtimeBringsFlow: boolean;
  /** Null when the last reported call had its script. */
  scriptless: ScriptlessCalls | null;
  counts: DialCounts;
  /** Caller number of the last attempt of each dialable contact, in claim order; limited to the first contacts. */
  lastCallers: (string | null)[];
  /** Earliest retry in the future, UTC ms. */
  nextRetryAt: number | null;
  /** The temporary hold that ends first; `until` UTC ms. */
  nextHold: { reason: SkipReason; until: number } | null;
}

export interface DialCounts {
  /** `pending` and not on hold. */
  pending: number;
  /** On hold for a reason with a known end. */
  held: number;
  /** `failed` with a retry time, not on hold. */
  retryable: number;
  /** Retryable contacts whose time has come; counted up to 1,000. */
  dueRetries: number;
  /** Open attempts. */
  active: number;
}

/** Decides about a candidate within the claim's transaction; pure (dialling/decisions/dial-admission.ts). */
export type AdmitDial = (candidate: DialCandidate, at: number) => AdmitVerdict;

export type AdmitVerdict =
  | { kind: 'admit' }
  /** Puts the contact on hold until the instant (null: until the reason is removed). */
  | { kind: 'hold'; reason: string; until: number | null }
  /** Fails the contact at once with an attempt that never reaches the switch (`invalid_number`, D4.5). */
  | { kind: 'fail'; callStatus: CallStatus };

export interface DialCandidate {
  contactId: number;
  phoneNumber: string;
  dialKey: string;
  attemptCount: number;
  /** End of the last attempt that counts, UTC ms; null when none has ended. */
  lastEndedAt: number | null;
  lastCallerNumber: string | null;
  doNotCall: { expiresAt: number | null } | null;
  /** The number is in another call, of any campaign or of an agent. */
  isInCall: boolean;
  /** Dials to the number in the last `frequencyDays` × 24 h; empty when not requested. */
  recentDials: readonly RecentDial[];
}

/**
 * A dial that frequency limits count: one that left, or a claim that may still be dialled; not refused by the switch or lost on a dead line.
 *
 * Source: D8.4
 */
export interface RecentDial {
  /** UTC ms. */
  at: number;
  campaignId: number;
}

export interface ClaimRequest {
  campaignId: number;
  grants: readonly SlotGrant[];
  /** `auto` claims for running campaigns only; `manual` also for draft and paused ones (D7.4). */
  source: 'auto' | 'manual';
  requestedLimit: number;
  effectiveLimit: number;
  createdBy: number | null;
  instanceId: string;
  /** `updatedAt` of the planned campaign, UTC ms: the plan's window, lines and cell are of that version. */
  campaignUpdatedAt: number;
  policyVersion: number;
  /** How far back `admit` needs earlier dials to the same number, days; 0 = not needed (rules: PreparedPolicies.frequencyDays). */
  frequencyDays: number;
  /** End of the permission to dial, UTC ms; null = no end. */
  validUntil: number | null;
  admit: AdmitDial;
  script: { scriptId: number; version: number } | null;
}

export type ClaimOutcome =
  | { kind: 'claimed'; batchId: number; dials: ClaimedDial[]; unusedRequestIds: string[]; invalid: InvalidDial[]; remainingPending: number }
  /** No contact was eligible; no batch was created. */
  | { kind: 'nothing'; remainingPending: number }
  /** The campaign no longer allows dispatch, or campaign or policies have changed since the plan: plan again. */
  | { kind: 'stale' };

export interface ClaimedDial {
  requestId: string;
  attemptId: number;
  batchId: number;
  contactId: number;
  /** The last call to the number that had, or may have had, a channel; null when none. The channel may outlive the result. */
  previousRequestId: string | null;
  /** When the claim is withdrawn, the contact is due for its retry instead of `pending`. */
  isRetry: boolean;
  phoneNumber: string;
  dialKey: string;
  customerName: string;
  metadata: JsonObject;
  lineId: number;
  callerNumber: string | null;
  cellId: string;
  startsInMs: number;
}

export interface InvalidDial {
  attemptId: number;
  requestId: string;
  contactId: number;
  phoneNumber: string;
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
}

export interface DialsPart {
  dials: DialStore;
}
