import type { AgentActivity } from '#agents/agent.ts';
import type { Outgoing } from '#protocol/actor-messages.ts';
import type { HeldReservation } from './reservation.ts';

/**
 * Effects of an agent, as data; executors are in agents/effects.ts and are idempotent.
 *
 * Source: A3, D12.7
 */
export type AgentEffects = {
  /** Notifies the call that holds the agent of the leg's fate. */
  sendTo: Outgoing | null;
  /** Hangs up a leg that no reservation covers. */
  killLeg: { fence: string; cellId: string; cause: string };
  /** Probes the leg; answers with legRinging, legAnswered or legMissing, or not at all when the cell is unreachable. */
  probeLeg: { fence: string; cellId: string; legUuid?: string | undefined };
  /** Adds to the history what the agent does from now on. `at` UTC ms; null when the event has no time. `reservation`: the call of the state. */
  recordState: { state: AgentActivity; reason: string | null; at: number | null; reservation: HeldReservation | null };
  /** Reports that the agent has let the longest wrap-up pass without saying what came of the call. */
  reportUndisposed: { reservation: HeldReservation };
};
