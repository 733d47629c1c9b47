import type { CallStatus } from '#rules/call-status.ts';
import type { CallWatch, IntentHit } from '#model/live-call.ts';
import type { HangupBy } from '#model/attempt.ts';
import type { TakeOverEvent } from '../intervention/events.ts';
import type { SpeechFound } from './speech.ts';

/** Whose a report says it is. */
export interface Ownership {
  epoch?: number | null | undefined;
  runtimeId?: string | null | undefined;
}

/**
 * What can happen to a live call, in any order and more than once: the switch delivers events swapped, NATS redelivers.
 *
 * Units: `at`, `answeredAt` UTC ms
 * Source: A7, test/fixtures/esl/README.md §3
 */
export type CallEvent =
  | { type: 'dialAccepted' }
  /** `isOurFault`: the switch or the line, not the person. */
  | { type: 'dialRefused'; callStatus: CallStatus; cause: string; replyText: string; isOurFault: boolean }
  | { type: 'dialNotSent'; reason: string }
  | { type: 'dialUnknown' }
  | { type: 'channelCreated' }
  | { type: 'channelRinging' }
  | { type: 'channelAnswered'; at: number }
  /** `isSilent`: nothing ever came from the far end. */
  | {
      type: 'channelHungUp';
      at: number;
      cause: string;
      callStatus: CallStatus;
      by: HangupBy | null;
      answeredAt: number | null;
      isSilent?: boolean;
    }
  /** The switch did not list the channel: look closer. */
  | { type: 'channelSuspected' }
  /** `answeredAt` null: it stands, and nobody has answered it. `isHeard`: whether its runtime hears its commands; null: not known. */
  | { type: 'channelFound'; answeredAt: number | null; isHeard?: boolean | null }
  /** As it was when `sightings` stood in the question. */
  | { type: 'channelMissing'; sightings: number }
  /** A runtime has taken the call. `epoch`: of the offer; `heldEpoch`: it had the call from an earlier one. */
  | { type: 'runtimeAccepted'; runtimeId: string | null; epoch: number; heldEpoch?: number | undefined }
  /** It is full, or did not answer in time. Null: nobody is there who could be asked. */
  | { type: 'runtimeDeclined'; runtimeId: string | null; epoch: number }
  /** What was offered is no call to any runtime. */
  | { type: 'runtimeRefused'; epoch: number }
  /** The time for the runtime's next sign that it speaks is over: look. */
  | { type: 'speechDue' }
  | SpeechFound
  /** Nothing is heard of it any more. Null: of the one that has not registered. */
  | { type: 'runtimeLost'; runtimeId: string | null }
  /** Known to be answered from before the live state was lost; whether a runtime has it is not known. */
  | { type: 'answerRestored'; at: number }
  /** The runtime speaks with the customer: answered, even when the switch's word was lost. */
  | ({ type: 'runtimeStarted'; at: number } & Ownership)
  | ({ type: 'runtimeEnded' } & Ownership)
  /** The runtime's result stands in PostgreSQL. */
  | { type: 'resultReported'; at?: number }
  | { type: 'hangupRequested'; cause: string; by?: HangupBy }
  /** The intervention reports: somebody has stepped in and speaks with the customer, or does no longer. */
  | { type: 'personJoined' }
  | { type: 'personLeft' }
  /** The monitor registry has put the call somewhere else. */
  | { type: 'watchChanged'; watch: CallWatch }
  /** The customer said something that a person should know of. */
  | { type: 'intentHeard'; hits: readonly IntentHit[] };

/** What a call notices of itself within one commit. */
type CallTurn = { type: 'wentLive' } | { type: 'leftLive' };

/** What the machine of a call hears: its own events, and those that it hands on to its intervention. */
export type AnyCallEvent = CallEvent | CallTurn | TakeOverEvent;

/** The instant of the answer that an event reports; null: of none. */
export function answerOf(event: AnyCallEvent): number | null {
  if (event.type === 'channelAnswered' || event.type === 'runtimeStarted' || event.type === 'answerRestored') return event.at;
  return event.type === 'channelFound' ? event.answeredAt : null;
}

/** What only says that the call is on its way: nobody waits for it, and the next event of the call brings it along. */
export function hurriesNobody({ type }: { type: string }): boolean {
  return type === 'channelCreated' || type === 'channelRinging' || type === 'dialAccepted';
}

type OfferAnswer = Extract<CallEvent, { type: 'runtimeAccepted' | 'runtimeDeclined' | 'runtimeRefused' }>;

export function isAnswerToOffer(event: AnyCallEvent): event is OfferAnswer {
  return event.type === 'runtimeAccepted' || event.type === 'runtimeDeclined' || event.type === 'runtimeRefused';
}
