import type { LegEvent } from '../intervention/events.ts';
import type { Voice } from './voices.ts';

/**
 * What the runtime learns of a hand-over. `unanswered`: another agent is asked; `failed`: nobody takes it, or the phone of whoever had taken it was lost,
 * and the call is the script's again.
 */
export interface TransferNews {
  status: 'ringing' | 'unanswered' | 'joined' | 'failed' | 'ended';
  agentId?: number | null;
  agentName?: string | null;
  cause?: string | null;
}

/**
 * What a conference session asks the world to do; executors live in operations/conferences and are idempotent: the next look repeats what is left.
 *
 * Source: D12.5–D12.7
 */
export type ConferenceEffects = {
  /** `isOwed`: the customer's channel ends when no runtime takes the news: nobody is left alone in a silent room. */
  notifyRuntime: TransferNews & { isOwed: boolean };
  endCustomer: undefined;
  /** Out of the room, to where the runtime speaks with it. */
  returnCustomer: undefined;
  /** Deaf and mute in the room. */
  putCustomerAside: undefined;
  startRecording: undefined;
  stopRecording: undefined;
  /** It has no address any more, and people learn why. */
  failRecording: { isRefused: boolean };
  changeVoices: { voices: readonly Voice[] };
  endChannels: { channelUuids: readonly string[] };
};

/** What a review may ask for besides: what comes of it is the next event. */
export type ReviewEffects = {
  askNextAgent: undefined;
  bringCustomerIn: undefined;
  bringCustomerBack: undefined;
};

/** What a session says to legs of its own, in the same commit. */
export type ConferenceMessages = { toLegs: { legUuids: readonly string[]; event: LegEvent } };
