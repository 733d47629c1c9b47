import type { Outgoing } from '#contract/nats/actor-messages.ts';
import type { CallStatus } from '#rules/call-status.ts';
import type { IntentHit } from '#model/live-call.ts';
import type { HangupBy } from '#model/attempt.ts';
import type { TakeOverEvent } from '../intervention/events.ts';

/**
 * What a call asks the world to do, as data: written with the snapshot, run after the commit, repeated until done.
 * Executors must be idempotent; they live in operations/calls/effects.ts.
 *
 * Source: A3, A6
 */
export type CallEffects = {
  /** Ask the switch how the channel stands; answers with channelFound, or channelMissing with the same `sightings`. */
  probeSwitch: { sightings: number };
  recordAnswered: { answeredAt: number };
  /**
   * Offer the answered call to one call-flow runtime; answers with runtimeAccepted, runtimeDeclined or runtimeRefused of the same `epoch`.
   * `isRestored`: one may have it already; `isResuming`: one that takes over what another has left; `tried`: not these.
   */
  startRuntime: { epoch: number; isRestored: boolean; isResuming: boolean; tried: readonly string[] };
  /** Look at what has been said; answers with speechFound of the same `epoch`. */
  checkSpeech: { epoch: number };
  /** The runtime speaks with the customer. Null: one that has not registered. */
  noteSpoke: { runtimeId: string | null };
  /** The call is taken from a runtime that says nothing. `mute`: nothing at all; `silent`: nothing any more. */
  giveUpRuntime: { runtimeId: string | null; epoch: number; kind: 'mute' | 'silent' };
  /** Nobody can take the call: the customer hears an apology, and the channel ends. */
  apologise: undefined;
  /** Tell the runtime that the customer is gone. */
  notifyHangup: { cause: string; by: HangupBy | null };
  /** Close the attempt in PostgreSQL without a runtime result. */
  settleAttempt: SettleParams;
  /** The dial certainly never left: give the contact back without burning a retry. */
  revertClaim: { reason: string };
  /** The call went on after its result was written: it has ended now. */
  recordEnd: { endedAt: number };
  releaseSlot: undefined;
  killChannel: { cause: string };
  /** The retained snapshot's time is over. */
  forgetCall: undefined;
};

/**
 * What a call asks of those who watch; executors live in operations/monitoring/effects.ts.
 *
 * Source: D9.5, OCS 4.12
 */
export type WatchEffects = {
  /** Put the live call before people who watch (D9.5). */
  offerCall: undefined;
  /** The call is no longer live: nobody watches it any more. */
  withdrawCall: undefined;
  /** Tell people of what the customer said, and move the call forward among those that wait. */
  notifyIntent: { hits: readonly IntentHit[] };
};

/** What a call says to others. */
export type CallMessages = {
  /** The intervention in it, in the same commit. */
  toIntervention: TakeOverEvent;
  /** The campaign learns that the call is over: its slot is free. */
  sendTo: Outgoing;
};

export interface SettleParams {
  status: 'completed' | 'failed' | 'outcome_unknown';
  /** The fault was ours: the contact keeps its attempt. */
  isOurFault?: boolean;
  /** Nothing ever came from the far end: the line's fault. */
  isSilent?: boolean;
  /** The end says nothing of runtime and network: something else of ours was away, or the customer was faster. */
  isVoid?: boolean;
  callStatus: CallStatus | null;
  cause: string | null;
  by: HangupBy | null;
  replyText: string | null;
  endedAt: number | null;
  answeredAt: number | null;
}
