import type { Breaker } from '#rules/breaker.ts';
import type { CallStatus } from '#rules/call-status.ts';
import type { BusinessConfig } from '#model/business-config.ts';
import type { Campaign } from '#model/campaign.ts';
import type { Batch } from '#model/batch.ts';
import type { HangupBy, OpenAttemptStatus, RingbackDetection, Speaker } from '#model/attempt.ts';
import type { Policy } from '#model/policy.ts';
import type { Line } from '#model/line.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import type { EndReason, ScriptlessCalls } from '#rules/scriptless-calls.ts';
import type { SkipReason, SlotSkipReason } from '#rules/skip-reason.ts';
import type { SlotGrant } from './slot-registry.ts';

/**
 * Business facts of dialling: claims, marks, outcomes. Each method is one transaction; time is the database's own.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: A6 steps 3, 5, 7–9; D5.5, D7, D8.6
 */
export interface DialStore {
  /** Running campaigns whose wake-up time has come (null = never set: due), most overdue first; with `all` also those that wait. */
  dueCampaigns(limit: number, options: { all: boolean }): Promise<number[]>;
  /** All that deciding about one campaign needs, read at one instant; null when deleted. */
  loadPlan(campaignId: number): Promise<DialPlan | null>;
  /** As `loadPlan`, all of them at one instant; in any order, deleted ones are left out. */
  loadPlans(campaignIds: readonly number[]): Promise<DialPlan[]>;
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /**
   * `claimed` → `dialing` for each id whose attempt is still claimed, whose batch is running, whose campaign still allows it, whose number is not on
   * the do-not-call list and in no other call, whose policies have not changed since the claim, whose window has not closed and whose line is still the campaign's and
   * enabled. Returns the ids that were marked.
   */
  markDialing(requestIds: readonly string[]): Promise<string[]>;
  /** Undoes claims that were certainly not dialled: attempt `cancelled`, contact back, no retry burned. Only `claimed` ones, or `dialing` ones with `alsoDialing`. */
  revert(requestIds: readonly string[], options: { alsoDialing: boolean; reason: string }): Promise<number>;
  /** What the switch has said of calls that go on; each call once. */
  recordProgress(calls: readonly DialProgress[]): Promise<void>;
  /** A call that went on after its result has ended; its contact's retry moves with the end. */
  recordEnd(requestId: string, endedAt: number): Promise<void>;
  recordRingback(requestId: string, detection: RingbackDetection, callStatus: CallStatus | null): Promise<void>;
  /** Closes open attempts that have no runtime result; closed ones are left alone. Decides the contact's retry (D7.1) and finishes batches. */
  settle(outcomes: readonly SettledDial[]): Promise<{ requestId: string; settled: boolean }[]>;
  /**
   * What the switch's call detail record says of a call whose outcome was unknown; null: it is no such call (any more). Moves the contact too,
   * unless it has been dialled again or a person has moved it.
   */
  settleUnknown(outcome: SettledDial): Promise<{ campaignId: number } | null>;
  /** Runtime's result (D7.7) with its outbox row, do-not-call entry and transcript. */
  applyResult(report: ResultReport): Promise<ResultOutcome>;
  /** Captions become the transcript of an answered call whose result brought none; repeating it adds what has been said since. */
  keepCaptions(requestId: string, captions: readonly KeptCaption[]): Promise<void>;
  /** Attempts that are not closed, by id; for reconciliation and rebuild. */
  openAttempts(afterId: number, limit: number): Promise<OpenAttempt[]>;
  findAttempts(requestIds: readonly string[]): Promise<OpenAttempt[]>;
  /** Attempts of a cell that a runtime's report has closed within the last `withinMs`: their channels may still be up. Latest first. */
  closedByReport(cellId: string, withinMs: number, limit: number): Promise<OpenAttempt[]>;
  /** What a call actor and the runtime must know, from the rows; for calls whose live state was lost. */
  loadDetails(requestIds: readonly string[]): Promise<CallDetails[]>;
  /** Ends holds whose time has come; returns the campaigns that gained contacts. */
  endDueHolds(limit: number): Promise<number[]>;
  /** Folds the appended counts of contacts and attempts, and those of overview and trend. */
  foldTallies(): Promise<void>;
  /** Every `claimed` attempt of the campaign reverts. Returns the request ids for slot release. */
  cancelClaims(campaignId: number, reason: string): Promise<string[]>;
  /** Forgets calls that were ended for want of a script: the campaign dials again, and so are its contacts that rest for it. */
  forgetScriptless(campaignId: number): Promise<void>;
  cancelBatch(campaignId: number, batchId: number): Promise<{ batch: Batch; cancelledRequestIds: string[] } | 'not_found' | 'not_running'>;
  takeOutbox(limit: number, leaseMs: number): Promise<OutboxRow[]>;
  clearOutbox(ids: readonly number[]): Promise<void>;
}

/** What is due outside PostgreSQL after a commit. */
export interface OutboxRow {
  id: number;
  kind: 'result_applied';
  key: string;
  payload: JsonObject;
}

export interface DialPlan {
  /** The instant of the reading, UTC ms, by the database. */
  at: number;
  campaign: Campaign;
  /** What each contact that could be dialled waits for, by the last turn; null: for nothing of this kind. */
  phaseRefusal: SlotSkipReason | null;
  /** Of the campaign's actor: its version, and its breaker, null when that has counted nothing yet. */
  actorVersion: number;
  breaker: Breaker | null;
  lines: Line[];
  /** Enabled policies, global and of this campaign. */
  policies: Policy[];
  policyVersion: number;
  script: { scriptId: number; version: number } | null;
  /** Of the campaign's business: its runtime leads calls without a script of ours. Source: D5.6 */
  runtimeBringsFlow: boolean;
  /** Null: the last call that was reported had its script. */
  scriptless: ScriptlessCalls | null;
  counts: DialCounts;
  /** Caller number of the last attempt of each contact that may be dialled, in the order in which they are claimed; of the first ones only. */
  lastCallers: (string | null)[];
  /** Earliest retry that is still to come, UTC ms. */
  nextRetryAt: number | null;
  /** Of the contacts that are held for a time the one that is let go first; `until` UTC ms. */
  nextHold: { reason: SkipReason; until: number } | null;
}

export interface DialCounts {
  /** `pending` and not held. */
  pending: number;
  /** Held for a reason that has a known end. */
  held: number;
  /** `failed` with a retry time, not held. */
  retryable: number;
  /** Of these, the ones whose time has come; counted up to 1,000. */
  dueRetries: number;
  /** Open attempts. */
  active: number;
}

/** Decides about one candidate inside the claim's transaction; pure (dialling/decisions/dial-admission.ts). */
export type AdmitDial = (candidate: DialCandidate, at: number) => AdmitVerdict;

export type AdmitVerdict =
  | { kind: 'admit' }
  /** The contact leaves the queue until the instant (null: until the reason is removed). */
  | { kind: 'hold'; reason: string; until: number | null }
  /** Fails at once with an attempt that never reaches the switch (`invalid_number`, D4.5). */
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
  /** Another call has the number: of any campaign, or an agent's. */
  isInCall: boolean;
  /** Of the number in the last `frequencyDays` × 24 h; empty when not asked. */
  recentDials: readonly RecentDial[];
}

/** A dial that frequency limits count: it left, or its claim may yet be dialled; no switch refused it, and no line swallowed it. Source: D8.4 */
export interface RecentDial {
  /** UTC ms. */
  at: number;
  campaignId: number;
}

export interface ClaimRequest {
  campaignId: number;
  grants: readonly SlotGrant[];
  /** `auto` claims only of running campaigns; `manual` also of draft and paused ones (D7.4). */
  source: 'auto' | 'manual';
  requestedLimit: number;
  effectiveLimit: number;
  createdBy: number | null;
  instanceId: string;
  /** Of the plan's campaign, UTC ms: window, lines and cell are those of then. */
  campaignUpdatedAt: number;
  policyVersion: number;
  /** How far back `admit` must see earlier dials to the same number, days; 0 = not needed (rules: PreparedPolicies.frequencyDays). */
  frequencyDays: number;
  /** End of the permission, UTC ms; null = open. */
  validUntil: number | null;
  admit: AdmitDial;
  script: { scriptId: number; version: number } | null;
}

export type ClaimOutcome =
  | { kind: 'claimed'; batchId: number; dials: ClaimedDial[]; unusedRequestIds: string[]; invalid: InvalidDial[]; remainingPending: number }
  /** No contact was eligible: no batch. */
  | { kind: 'nothing'; remainingPending: number }
  /** The campaign is no longer in a state that allows dispatch, or it or policies changed since the plan: plan again. */
  | { kind: 'stale' };

export interface ClaimedDial {
  requestId: string;
  attemptId: number;
  batchId: number;
  contactId: number;
  /** The last call of its number that had, or may have had, a channel, null when none; it may outlive its result. */
  previousRequestId: string | null;
  /** Taken back it is due for its retry, and not pending. */
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

/** What the switch has said of a call: its reply, the answer, or both. */
export interface DialProgress {
  requestId: string;
  replyText?: string;
  /** UTC ms. */
  answeredAt?: number;
}

export interface SettledDial {
  requestId: string;
  status: 'completed' | 'failed' | 'outcome_unknown' | 'cancelled';
  callStatus: CallStatus | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  replyText: string | null;
  /** UTC ms, null = the database's now. */
  endedAt: number | null;
  answeredAt: number | null;
  /** The switch, the line or the runtime failed, not the person: the contact keeps its attempt and is due again after `OUR_FAULT_PAUSE_MS`. */
  isOurFault?: boolean;
  /** Nothing ever came from the far end: the line's fault, which costs the contact nothing until `MAX_SILENT_REPEATS`. */
  isSilent?: boolean;
  /** Answered and over, and the runtime has not said how it went (D7.8). */
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
  /** Age of the claim and of the dialing mark, ms, by the database's clock. */
  claimedAgoMs: number;
  dialingAgoMs: number | null;
  /** UTC ms. */
  answeredAt: number | null;
  /** The runtime has said how it went. */
  hasResult: boolean;
}

/** D7.7, already validated. */
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
  /** What the live call knows, beside what is reported of it; absent: it has none, or could not be asked. */
  seen?: SeenCall;
}

/** Something said in a call, as captions told it while it went on. */
export interface KeptCaption {
  segmentId: string;
  speaker: Speaker;
  text: string;
  startMs: number | null;
  endMs: number | null;
  nodeId: string | null;
  /** UTC ms; its place in the call where no offset was given. */
  at: number;
}

/** Of the switch, UTC ms; null: not yet. */
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
      /** Fields of the report that were not taken: a later one says otherwise, or a first one what cannot be (`isFirst`). */
      conflicts: string[];
      isFirst?: boolean;
      /** How wrong the runtime's clock goes, where its report shows it, ms. */
      clockSkewMs?: number;
      outboxId: number | null;
    }
  | { kind: 'not_found' };

/** The static facts of a call: kept beside its actor, handed to the runtime over NATS. */
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
