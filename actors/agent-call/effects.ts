import type { Outgoing } from '#contract/nats/actor-messages.ts';
import type { HangupBy } from '#model/attempt.ts';

/**
 * What a call between an agent and a customer asks the world to do; executors live in operations/agent-calls/effects.ts and are idempotent.
 *
 * Source: A3, D12.3
 */
export type AgentCallEffects = {
  /** Ring the agent's phone, once for ever: the leg's mark in PostgreSQL is the fence. */
  ringAgent: undefined;
  /** Call the customer, once for ever. */
  dialCustomer: undefined;
  bridgeLegs: undefined;
  /** `at` UTC ms of what happened to the leg that it is about; null: now. */
  recordProgress: { status: 'ringing' | 'dialing' | 'answered'; at: number | null };
  recordCustomer: { status: 'ringing' | 'answered'; at: number };
  /** Why one leg is over, as it was reported: also of a leg that outlives the call. */
  recordEnd: { leg: 'agent' | 'customer'; cause: string; at: number };
  closeCall: CallEnd;
  /** The agent's leg ends; answers with agentMissing when there is none. */
  endAgentLeg: undefined;
  /** The agent whose leg is not there is free. */
  sendTo: Outgoing;
  endCustomerLeg: undefined;
  /** Ask the switch how the agent's leg stands; answers with agentAnswered, or with agentGone when nobody has picked up. */
  probeAgent: undefined;
  /**
   * Ask the switch how the customer's channel stands; answers with customerFound, customerAnswered or customerMissing. Not `isSent`: the dial may
   * still be on its way, and no channel means nothing.
   */
  probeCustomer: { isSent: boolean };
  releaseSlot: undefined;
  forgetCall: undefined;
};

export interface CallEnd {
  status: 'completed' | 'failed';
  cause: string | null;
  by: HangupBy | null;
  /** Chinese, for people; null when the cause says it all. */
  reason: string | null;
  endedAt: number | null;
}
