import type { Outgoing } from '#protocol/actor-messages.ts';

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
};
