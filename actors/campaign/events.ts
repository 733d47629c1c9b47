import type { BreakerSettings, DialEnd, Probe } from '#rules/breaker.ts';
import type { WindowDecision } from '#rules/calling-window.ts';
import type { Verdict } from '#rules/policies/evaluate-policies.ts';
import type { ScriptlessCalls } from '#rules/scriptless-calls.ts';
import type { SkipReason, SlotRefusal } from '#rules/skip-reason.ts';
import type { CampaignFields } from '#model/campaign.ts';

/**
 * What people order and what the dispatcher finds. Facts that decide a move travel in the event: the machine reads nothing.
 *
 * Source: OCS §3 "Campaign status", D5.1, D5.2
 */
export type CampaignEvent =
  | CampaignCommand
  /** The dispatcher has looked at the campaign. */
  | { type: 'turnTaken'; found: TurnFindings }
  /** How dials have ended as far as the way to people is concerned. */
  | { type: 'dialsEnded'; at: number; ends: readonly DialEnd[]; settings: BreakerSettings }
  /** The breaker of the campaign itself, within one commit. */
  | { type: 'breakerOpened'; at: number }
  | { type: 'breakerClosed' }
  /** A call of the campaign is over: its slot is free. */
  | { type: 'callSettled'; at: number }
  /** The dispatcher answers a due one with a turn, so a wake-up costs no commit of its own. */
  | { type: 'wakeUp' };

/** What a person orders; an edit of fields travels with it, so that one commit decides both. */
export type CampaignCommand = { by: string; edit?: CampaignEdit } & (
  | { type: 'startRequested'; hasWork: boolean; hasFlow: boolean }
  | { type: 'pauseRequested' }
  | { type: 'archiveRequested'; activeCalls: number }
  | { type: 'editRequested' }
);

export interface CampaignEdit {
  /** The fields afterwards, already valid. */
  fields: CampaignFields;
  /** Members that the person gave. */
  given: readonly (keyof CampaignFields)[];
}

/** Contacts whom nobody will dial when their campaign completes. */
export interface LeftContacts {
  pending: number;
  /** Pending or failed, held for a time. */
  held: number;
  retryable: number;
}

/** What a turn of the dispatcher found and did. Instants are UTC ms. */
export interface TurnFindings {
  at: number;
  businessCode: string;
  /** Anything pending, held for a time, retryable or active; the commit of a completion checks it once more. */
  hasWork: boolean;
  /** Contacts that may be dialled now, due retries included. */
  pendingCount: number;
  /** When the next contact that must wait is due; null when none waits. */
  nextRetryAt: number | null;
  /** What keeps back the contact that is let go first, when that is no retry's wait; null: nobody is kept back for a time. */
  nextHold: { reason: SkipReason; until: number } | null;
  activeCalls: number;
  /** Its planned end, from which on nobody is dialled any more; null: it has none. */
  endsAt: number | null;
  /** Contacts that would still be dialled. */
  left: LeftContacts;
  window: Pick<WindowDecision, 'open' | 'reason'>;
  policy: Pick<Verdict, 'allowed' | 'reason'>;
  /** First instant at which window and policies are both open; null when never. */
  opensAt: number | null;
  /** Why the reservation gave nothing or less; null when it did not or none was tried. */
  slotRefusal: SlotRefusal | null;
  isCellReachable: boolean;
  /** Whether a line of the campaign is enabled. */
  hasLine: boolean;
  /** What was claimed is a try: its ends say whether the breaker closes. Null: it is none. */
  probe: Probe | null;
  /** Runtimes ended its last calls for want of a script; null when they did not. */
  scriptless: (ScriptlessCalls & { reason: string }) | null;
  /** Whether calls are led by anything: a script, or what the runtime brings. */
  hasFlow: boolean;
}
