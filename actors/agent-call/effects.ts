import type { Outgoing } from '#protocol/actor-messages.ts';
import type { HangupBy } from '#attempts/attempt.ts';

/**
 * Effects of a call between an agent and a customer; executors are in agent-calls/effects.ts and are idempotent.
 *
 * Source: A3, D12.3
 */
export type AgentCallEffects = {
  /** Rings the agent's phone, at most once: the leg's mark in PostgreSQL is the fence. */
  ringAgent: undefined;
  /** Dials the customer, at most once. */
  dialCustomer: undefined;
  bridgeLegs: undefined;
  /** `at`: UTC ms of the event on the leg; null: now. */
  recordProgress: { status: 'ringing' | 'dialing' | 'answered'; at: number | null };
  recordCustomer: { status: 'ringing' | 'answered'; at: number };
  /** Records the reported cause of a leg's end, even if the leg outlives the call. */
  recordEnd: { leg: 'agent' | 'customer'; cause: string; at: number };
  closeCall: CallEnd;
  /** Hangs up the agent's leg; answers with agentMissing when it does not exist. */
  endAgentLeg: undefined;
  /** Releases the agent whose leg does not exist. */
  sendTo: Outgoing;
  endCustomerLeg: undefined;
  /** Probes the agent's leg; answers with agentAnswered, or with agentGone when it is unanswered. */
  probeAgent: undefined;
  /**
   * Probes the customer's channel; answers with customerFound, customerAnswered or customerMissing. Without `isSent` the dial may still be in
   * progress, and a missing channel proves nothing.
   */
  probeCustomer: { isSent: boolean };
  releaseSlot: undefined;
  forgetCall: undefined;
};

export interface CallEnd {
  status: 'completed' | 'failed';
  cause: string | null;
  by: HangupBy | null;
  /** Chinese text for users; null when the cause is sufficient. */
  reason: string | null;
  endedAt: number | null;
}
