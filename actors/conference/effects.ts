import type { LegEvent } from '../leg/events.ts';
import type { HandBackOrder } from './events.ts';
import type { Voice } from './voices.ts';

/**
 * Report to the runtime about a transfer. `unanswered`: another agent is called; `failed`: no agent takes the call, or the agent's phone was
 * lost, and the script continues.
 */
export interface TransferNews {
  status: 'ringing' | 'unanswered' | 'joined' | 'failed' | 'ended';
  agentId?: number | null;
  agentName?: string | null;
  cause?: string | null;
}

/**
 * Effects of a conference session; executors are in conferences/effects.ts and are idempotent.
 *
 * Source: D12.5–D12.7
 */
export type ConferenceEffects = {
  /** `endsCallIfRefused`: if no runtime accepts the report, the customer's channel is hung up instead of staying in a silent room. */
  notifyRuntime: TransferNews & { endsCallIfRefused: boolean };
  endCustomer: undefined;
  /** Moves the customer out of the room, back to the runtime. */
  returnCustomer: undefined;
  /** Tells the runtime to go on with a customer who was returned; if it refuses, the customer hears the apology. */
  handBack: HandBackOrder;
  /** Mutes and deafens the customer in the room. */
  putCustomerAside: undefined;
  startRecording: undefined;
  stopRecording: undefined;
  /** Notifies users of the reason why a conference is not recorded. */
  failRecording: { isRefused: boolean };
  changeVoices: { voices: readonly Voice[] };
  /** Hangs up channels that are still in the room. */
  endChannels: { channelUuids: readonly string[] };
  // The result of each further effect is the next event.
  ringNextAgent: undefined;
  bringCustomerIn: undefined;
  bringCustomerBack: undefined;
};

/** Events that a session sends to its legs, in the same commit. */
export type ConferenceMessages = { toLegs: { legUuids: readonly string[]; event: LegEvent } };
