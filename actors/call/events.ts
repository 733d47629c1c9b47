import type { CallStatus } from '#protocol/call-status.ts';
import type { CallPerson } from '#actors/call/people.ts';
import type { Guidance } from '#actors/call/guidance.ts';
import type { CallWatch, IntentHit } from '#actors/call/watch.ts';
import type { SwitchSignals } from '#outcomes/decisions/outcome.ts';
import type { HangupBy } from '#attempts/attempt.ts';
import type { TakeOverEvent } from '../intervention/events.ts';
import type { SpeechFound } from './speech.ts';

/** The owner that a report claims to come from. */
export interface Ownership {
  epoch?: number | null | undefined;
  runtimeId?: string | null | undefined;
}

/**
 * Events of a live call; they may arrive in any order and repeatedly: the switch swaps events, NATS redelivers.
 *
 * Units: `at`, `answeredAt` UTC ms
 * Source: A7, test/fixtures/esl/README.md §3
 */
export type CallEvent =
  | { type: 'dialAccepted' }
  /** `isOurFault`: the switch or the line failed, not the called person. */
  | { type: 'dialRefused'; callStatus: CallStatus; cause: string; replyText: string; isOurFault: boolean }
  | { type: 'dialNotSent'; reason: string }
  | { type: 'dialUnknown' }
  | { type: 'channelCreated' }
  | { type: 'channelRinging' }
  | { type: 'channelAnswered'; at: number }
  /** `isSilent`: the far end never responded. */
  | {
      type: 'channelHungUp';
      at: number;
      cause: string;
      callStatus: CallStatus;
      by: HangupBy | null;
      answeredAt: number | null;
      isSilent?: boolean;
      signals?: SwitchSignals;
    }
  /** The switch did not list the channel: probe it. */
  | { type: 'channelSuspected' }
  /** `answeredAt` null: the channel exists and is unanswered. `isHeard`: whether a runtime receives the call's commands; null: unknown. */
  | { type: 'channelFound'; answeredAt: number | null; isHeard?: boolean | null }
  /** The channel was absent at the time of the probe that carried `sightings`. */
  | { type: 'channelMissing'; sightings: number }
  /** A runtime has accepted the call. `epoch`: of the offer; `heldEpoch`: it already had the call from that earlier offer. */
  | { type: 'runtimeAccepted'; runtimeId: string | null; epoch: number; heldEpoch?: number | undefined }
  /** The runtime is full, or did not answer in time. Null: no runtime was available. */
  | { type: 'runtimeDeclined'; runtimeId: string | null; epoch: number }
  /** The offered call is invalid for every runtime. */
  | { type: 'runtimeRefused'; epoch: number }
  /** The time limit for the runtime's next sign of speech has passed: check. */
  | { type: 'speechDue' }
  | SpeechFound
  /** The runtime's heartbeats have stopped. Null: the unregistered runtime. */
  | { type: 'runtimeLost'; runtimeId: string | null }
  /**
   * The call was answered before the live state was lost; whether a runtime has it is unknown. `heardRuntime`: the runtime that the customer
   * heard, '' for an unregistered one, null for none; `unheardMs`: time for which the customer has heard no runtime.
   */
  | { type: 'answerRestored'; at: number; heardRuntime: string | null; unheardMs: number | null }
  /** The runtime speaks with the customer: the call is answered, even if the switch's event was lost. */
  | ({ type: 'runtimeStarted'; at: number } & Ownership)
  | ({ type: 'runtimeEnded' } & Ownership)
  /** The runtime's result is stored in PostgreSQL. */
  | { type: 'resultReported'; at?: number }
  | { type: 'hangupRequested'; cause: string; by?: HangupBy }
  /** From the intervention: an agent or supervisor has begun, or stopped, to talk to the customer. */
  | { type: 'personJoined' }
  | { type: 'personLeft' }
  /** The monitor registry has changed the call's assignment. */
  | { type: 'watchChanged'; watch: CallWatch }
  /** A conference of the customer reports the legs of our people in it. */
  | { type: 'legsReported'; people: readonly CallPerson[] }
  /** The customer said an intent keyword. */
  | { type: 'intentHeard'; hits: readonly IntentHit[] }
  /** A user gave the bot a hint or a sentence, and its runtime has acknowledged it. */
  | { type: 'guided'; guidance: Guidance };

/** Internal events raised within one commit. */
type CallTurn = { type: 'wentLive' } | { type: 'leftLive' };

/** Events of the call's machine: its own, and those that it passes on to its intervention. */
export type AnyCallEvent = CallEvent | CallTurn | TakeOverEvent;

/** Time of the answer that an event reports; null when it reports none. */
export function answerOf(event: AnyCallEvent): number | null {
  if (event.type === 'channelAnswered' || event.type === 'runtimeStarted' || event.type === 'answerRestored') return event.at;
  return event.type === 'channelFound' ? event.answeredAt : null;
}

/**
 * Progress events are not urgent: they are committed with the call's next event, or a moment later.
 *
 * Why: a runtime reports its start as soon as it accepts the call, and both are one commit then
 */
export function hurriesNobody({ type }: { type: string }): boolean {
  return type === 'channelCreated' || type === 'channelRinging' || type === 'dialAccepted' || type === 'runtimeStarted';
}

type OfferAnswer = Extract<CallEvent, { type: 'runtimeAccepted' | 'runtimeDeclined' | 'runtimeRefused' }>;

export function isAnswerToOffer(event: AnyCallEvent): event is OfferAnswer {
  return event.type === 'runtimeAccepted' || event.type === 'runtimeDeclined' || event.type === 'runtimeRefused';
}
