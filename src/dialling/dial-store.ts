import type { DuePromise } from '#callbacks/callback.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import type { Batch } from '#attempts/batch.ts';
import type { Breaker } from '#campaigns/decisions/breaker.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { Campaign, DialCounts } from '#campaigns/campaign.ts';
import type { AbandonmentCount } from '#policies/decisions/person-kinds.ts';
import type { Policy } from '#policies/policy.ts';
import type { Line } from '#lines/line.ts';
import type { NumberVerdict } from '#contacts/decisions/numbers.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { ScriptlessCalls } from '#campaigns/decisions/campaign-states.ts';
import type { PhaseCause, SkipReason, SlotSkipReason } from '#campaigns/decisions/skip-reason.ts';
import type { NumberDial, SlotGrant } from '#slots/slot-registry.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

/**
 * Business facts of dialling: plans, claims, marks. Each method is one transaction and uses the database clock.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: A6 steps 3, 5; D5.5, D7, D8.6
 */
export interface DialStore extends OutcomeStore {
  /** Running campaigns whose wake-up time has come (null = never set: due), most overdue first; `all` includes those still waiting. */
  dueCampaigns(limit: number, options: { all: boolean }): Promise<number[]>;
  /** Everything needed to decide about a campaign, read at one instant; null when deleted. */
  loadPlan(campaignId: number): Promise<DialPlan | null>;
  /** Like `loadPlan` for several campaigns at the same instant; in any order, without deleted ones. */
  loadPlans(campaignIds: readonly number[]): Promise<DialPlan[]>;
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /**
   * Marks `claimed` attempts as `dialing` and returns those marked. Rechecked: the attempt is still claimed, its batch running, its campaign
   * allows it, its number is neither on the do-not-call list nor in another call, the consents that policies ask for hold, policies are
   * unchanged since the claim, its permission has not ended, and the line still belongs to the campaign and is enabled.
   */
  markDialing(requestIds: readonly string[]): Promise<MarkedDial[]>;
  /** Releases contacts whose hold has expired; returns the campaigns that gained contacts. */
  endDueHolds(limit: number): Promise<number[]>;
  /** Folds the appended counter rows of contacts and attempts, and those of overview and trend. */
  foldTallies(): Promise<void>;
  /** Reverts every `claimed` attempt of the campaign. Returns the request ids for slot release. */
  cancelClaims(campaignId: number, reason: string): Promise<string[]>;
  /** Clears the record of calls ended for lack of a script: the campaign dials again, including the contacts held for it. */
  forgetScriptless(campaignId: number): Promise<void>;
  /**
   * Dials with these caller numbers in the last `withinMs`, and claims that may be dialled yet; the newest of each number.
   *
   * Source: D4.7
   */
  dialsOfNumbers(numbers: readonly string[], withinMs: number): Promise<NumberDial[]>;
  cancelBatch(campaignId: number, batchId: number): Promise<{ batch: Batch; cancelledRequestIds: string[] } | 'not_found' | 'not_running'>;
}

export interface DialPlan {
  /** Instant of the read, UTC ms, by the database clock. */
  at: number;
  campaign: Campaign;
  /** Cause of the phase that the last turn found; null when the phase alone is specific enough. */
  phaseCause: PhaseCause | null;
  /** Refusal that the last turn met for all dialable contacts; null when it met none of this kind. */
  phaseRefusal: SlotSkipReason | null;
  /** Version and breaker of the campaign's actor; the breaker is null until it has counted something. */
  actorVersion: number;
  breaker: Breaker | null;
  lines: Line[];
  /** Enabled policies, global ones and the campaign's own. */
  policies: Policy[];
  /** Distinct zones of the campaign's contacts, past ones included, as `DialCandidate.zones`; '' for unknown ones. */
  contactZones: string[];
  policyVersion: number;
  /** The outcome rules in force; absent or null: none. Source: D7.14 */
  outcomeRules?: OutcomeRules | null;
  /** Answered and abandoned calls, by the policies that limit them; absent: no policy does. Source: D8.11 */
  abandonment?: readonly AbandonmentCount[];
  script: { scriptId: number; version: number } | null;
  /** The runtime of the campaign's business brings its own call flow; no script of ours is used. Source: D5.6 */
  runtimeBringsFlow: boolean;
  /** Null when the last reported call had its script. */
  scriptless: ScriptlessCalls | null;
  counts: DialCounts;
  /** The contacts that are dialled next, in claim order; limited to the first ones. */
  takers: DialTaker[];
  /** Earliest retry in the future, UTC ms. */
  nextRetryAt: number | null;
  /** The temporary hold that ends first; `until` UTC ms. */
  nextHold: { reason: SkipReason; until: number } | null;
}

/** An attempt that may be sent to the switch. */
export interface MarkedDial {
  requestId: string;
  /** How long the permission to dial lasts from the mark on, ms; null = no end. */
  validForMs: number | null;
}

/** Facts about a contact by which a caller number is chosen. Source: D4.3, D4.8 */
export interface DialTaker {
  contactId: number;
  dialKey: string;
  /** Caller number of its last attempt. */
  lastCallerNumber: string | null;
  /** Caller number that reached the person last, from any campaign; null also when no line of the campaign asks. */
  reachedBy: string | null;
}

/** A slot as a claim hands it out. */
export interface DialGrant extends SlotGrant {
  /** The contact for which its caller number was chosen; absent: nobody in particular. */
  contactId?: number;
  /** The contact may get the caller number of its last attempt again. */
  mayRepeat?: boolean;
}

/** Decides about a candidate within the claim's transaction; pure (dialling/decisions/dial-admission.ts). */
export type AdmitDial = (candidate: DialCandidate, at: number) => AdmitVerdict;

export type AdmitVerdict =
  /** `validUntil`: end of the permission to dial this contact, UTC ms; null = no end, absent = that of the request. */
  | { kind: 'admit'; validUntil?: number | null }
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
  /** When the contact was promised a call, UTC ms; null: it was not. Source: D7.12 */
  callbackAt: number | null;
  /** When the last attempt's end allows another, UTC ms; null when none waits. */
  retryAt: number | null;
  /** A requested dial is made neither before nor after these instants, UTC ms; null: no bound. Source: D7.15 */
  notBefore: number | null;
  notAfter: number | null;
  doNotCall: { expiresAt: number | null } | null;
  /** The number is in another call, of any campaign or of an agent. */
  isInCall: boolean;
  /** Dials to the numbers of the contact in the last `frequencyDays` × 24 h; empty when not requested. */
  recentDials: readonly RecentDial[];
  /** Those of the requested purposes for which the person's consent holds. Absent: none. Source: D8.10 */
  consents?: readonly string[];
  /** End of the last abandoned call to the number, UTC ms; null or absent: none, or not requested. Source: D8.11 */
  lastAbandonedAt?: number | null;
  /** IANA time zones in which the contact may be, joined by spaces; null when unknown: the campaign's, else the installation's. Source: D8.8 */
  zones: string | null;
  /** The contact's numbers in order, the one to dial now among them; absent or empty: a single one. Source: D6.7 */
  numbers?: readonly CandidateNumber[];
}

/** One of several numbers of a contact. */
export interface CandidateNumber {
  phoneNumber: string;
  dialKey: string;
  extension: string;
  verdict: NumberVerdict | null;
  doNotCall: { expiresAt: number | null } | null;
  /** The same as `DialCandidate.consents`. */
  consents?: readonly string[];
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
  grants: readonly DialGrant[];
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
  /** Purposes whose consents `admit` needs. Absent: none. */
  purposes?: readonly string[];
  /** Whether `admit` needs the last abandoned call to each number. Absent: no. */
  readsAbandoned?: boolean;
  /** End of the permission to dial any contact, UTC ms; null = no end. */
  validUntil: number | null;
  admit: AdmitDial;
  script: { scriptId: number; version: number } | null;
}

/** `held`: contacts that were put on hold. */
export type ClaimOutcome =
  | {
      kind: 'claimed';
      batchId: number;
      dials: ClaimedDial[];
      unusedRequestIds: string[];
      invalid: InvalidDial[];
      remainingPending: number;
      held: number;
    }
  /** No contact was eligible; no batch was created. `hasDeferred`: some are, with a caller number that is chosen for them. */
  | { kind: 'nothing'; remainingPending: number; held: number; hasDeferred?: boolean }
  /** The campaign no longer allows dispatch, or campaign or policies have changed since the plan: plan again. */
  | { kind: 'stale' };

export interface ClaimedDial {
  requestId: string;
  attemptId: number;
  /** Null for a test call. */
  batchId: number | null;
  /** It rings a user's own phone and counts nowhere. Absent: false. Source: D7.16 */
  isTest?: boolean;
  contactId: number;
  /** The last call to the number that had, or may have had, a channel; null when none. The channel may outlive the result. */
  previousRequestId: string | null;
  /** When the claim is withdrawn, the contact is due for its retry instead of `pending`. */
  isRetry: boolean;
  phoneNumber: string;
  dialKey: string;
  /** Digits to send after the answer; empty without an extension. */
  extension: string;
  customerName: string;
  metadata: JsonObject;
  /** Text that the runtime leaves on a mailbox; null: none. Source: D7.14 */
  mailboxText: string | null;
  /** The promise that the dial keeps; null: none. Source: D7.12 */
  callback: DuePromise | null;
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

export interface DialsPart {
  dials: DialStore;
}
