import type { Outgoing } from '#protocol/actor-messages.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { IntentHit } from '#actors/call/watch.ts';
import type { SwitchSignals } from '#outcomes/decisions/outcome.ts';
import type { HangupBy } from '#attempts/attempt.ts';
import type { TakeOverEvent } from '../intervention/events.ts';

/**
 * Effects of a call, as data: written with the snapshot, run after the commit, repeated until done.
 * Executors must be idempotent; they are in calls/effects.ts.
 *
 * Source: A3, A6
 */
export type CallEffects = {
  /** Probes the channel at the switch; answers with channelFound, or with channelMissing and the same `sightings`. */
  probeSwitch: { sightings: number };
  recordAnswered: { answeredAt: number };
  /**
   * Offers the answered call to a call-flow runtime; answers with runtimeAccepted, runtimeDeclined or runtimeRefused for the same `epoch`.
   * `isRestored`: a runtime may have it already; `isResuming`: needs one that can continue another's call; `tried`: excluded runtimes.
   */
  startRuntime: { epoch: number; isRestored: boolean; isResuming: boolean; tried: readonly string[] };
  /** Checks what has been said; answers with speechFound for the same `epoch`. */
  checkSpeech: { epoch: number };
  /** Records that the runtime speaks with the customer. Null: an unregistered runtime. */
  noteSpoke: { runtimeId: string | null };
  /** Records that the runtime which the customer heard has lost the call. */
  noteUnheard: undefined;
  /** Takes the call from a runtime that does not speak. `mute`: it never spoke; `silent`: it stopped speaking. */
  giveUpRuntime: { runtimeId: string | null; epoch: number; kind: 'mute' | 'silent' };
  /** No runtime accepts the call: plays the apology and hangs up. */
  apologise: undefined;
  /** Notifies the runtime that the customer is gone. */
  notifyHangup: { cause: string; by: HangupBy | null };
  /** Closes the attempt in PostgreSQL without a runtime result. */
  settleAttempt: SettleParams;
  /** The dial was certainly not sent: returns the contact without using a retry. */
  revertClaim: { reason: string };
  /** Records the end of a call that outlasted its result. */
  recordEnd: { endedAt: number };
  releaseSlot: undefined;
  killChannel: { cause: string };
  /** Deletes the actor after its retention time. */
  forgetCall: undefined;
};

/**
 * Effects of a call that concern monitoring; executors are in monitoring/effects.ts.
 *
 * Source: D9.5, OCS 4.12
 */
export type WatchEffects = {
  /** Offers the live call to monitors (D9.5). */
  offerCall: undefined;
  /** Withdraws a call that is no longer live from its monitors. */
  withdrawCall: undefined;
  /** Alerts users to an intent keyword, and raises the call's priority among waiting calls. */
  notifyIntent: { hits: readonly IntentHit[] };
};

/** Messages of a call to other actors. */
export type CallMessages = {
  /** Event for the call's intervention, in the same commit. */
  toIntervention: TakeOverEvent;
  /** Notifies the campaign that the call has ended and its slot is free. */
  sendTo: Outgoing;
};

export interface SettleParams {
  status: 'completed' | 'failed' | 'outcome_unknown';
  /** The fault was ours: the attempt is not counted against the contact. */
  isOurFault?: boolean;
  /** The far end never responded: a line fault. */
  isSilent?: boolean;
  /** The end is no evidence about runtime or network: another component of ours was unavailable, or the customer hung up first. */
  isVoid?: boolean;
  /** Report of the switch at the end of the call. */
  signals?: SwitchSignals | undefined;
  callStatus: CallStatus | null;
  cause: string | null;
  by: HangupBy | null;
  replyText: string | null;
  endedAt: number | null;
  answeredAt: number | null;
}
