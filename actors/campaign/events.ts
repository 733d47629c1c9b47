import type { BreakerSettings, DialEnd, Probe } from '#campaigns/decisions/breaker.ts';
import type { WindowDecision } from '#policies/decisions/calling-window.ts';
import type { Verdict } from '#policies/decisions/evaluate.ts';
import type { ScriptlessCalls } from '#campaigns/decisions/campaign-states.ts';
import type { SkipReason, SlotRefusal } from '#campaigns/decisions/skip-reason.ts';
import type { CampaignFields } from '#campaigns/campaign.ts';

/**
 * Commands of users and findings of the dispatcher. An event carries all facts needed to decide: the machine reads nothing.
 *
 * Source: OCS §3 "Campaign status", D5.1, D5.2
 */
export type CampaignEvent =
  | CampaignCommand
  /** The dispatcher has finished a turn. */
  | { type: 'turnTaken'; found: TurnFindings }
  /** Ended dials, as evidence for the breaker. */
  | { type: 'dialsEnded'; at: number; ends: readonly DialEnd[]; settings: BreakerSettings }
  /** Raised by the campaign's own breaker, within the same commit. */
  | { type: 'breakerOpened'; at: number }
  | { type: 'breakerClosed' }
  /** A call of the campaign has ended and its slot is free. */
  | { type: 'callSettled'; at: number }
  /** A due wake-up leads to a turn of the dispatcher, so it needs no commit of its own. */
  | { type: 'wakeUp' };

/** A user's command; an edit is part of it, so that one commit decides both. */
export type CampaignCommand = { by: string; edit?: CampaignEdit } & (
  | { type: 'startRequested'; hasWork: boolean; hasFlow: boolean }
  | { type: 'pauseRequested' }
  | { type: 'archiveRequested'; activeCalls: number }
  | { type: 'editRequested' }
);

export interface CampaignEdit {
  /** The resulting fields, already validated. */
  fields: CampaignFields;
  /** Members that the user supplied. */
  given: readonly (keyof CampaignFields)[];
}

/** Contacts that will not be dialled when their campaign completes. */
export interface LeftContacts {
  pending: number;
  /** Pending or failed, temporarily on hold. */
  held: number;
  retryable: number;
  /** Callbacks that were promised. */
  promised: number;
}

/** Findings and actions of a dispatcher's turn. Instants are UTC ms. */
export interface TurnFindings {
  at: number;
  businessCode: string;
  /** Whether contacts are pending, temporarily on hold, retryable or active; a commit that completes the campaign checks again. */
  hasWork: boolean;
  /** Contacts that can be dialled now, including due retries. */
  pendingCount: number;
  /** Time of the next retry; null when none is waiting. */
  nextRetryAt: number | null;
  /** The hold that ends first, unless it is a retry wait; null when there is no temporary hold. */
  nextHold: { reason: SkipReason; until: number } | null;
  activeCalls: number;
  /** Planned end, after which nothing is dialled; null when there is none. */
  endsAt: number | null;
  /** Contacts that would remain undialled. */
  left: LeftContacts;
  window: Pick<WindowDecision, 'open' | 'cause'>;
  policy: Pick<Verdict, 'allowed' | 'reason'> & Partial<Pick<Verdict, 'blockedBy'>>;
  /** First instant at which window and policies both allow dialling; null when never. */
  opensAt: number | null;
  /** Why the reservation yielded no or too few slots; null when it did not, or was not attempted. */
  slotRefusal: SlotRefusal | null;
  isCellReachable: boolean;
  /** Whether a line of the campaign is enabled. */
  hasLine: boolean;
  /** Set when the claimed dials are a probe, whose results decide whether the breaker closes. */
  probe: Probe | null;
  /** Set when the latest calls were ended for lack of a script. */
  scriptless: (ScriptlessCalls & { reason: string }) | null;
  /** Whether there is a call flow: a script, or one that the runtime brings. */
  hasFlow: boolean;
}
