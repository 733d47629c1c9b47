import type { Outgoing } from '#contract/nats/actor-messages.ts';

/**
 * What an agent's actor asks the world to do, as data; executors live in operations/agents/effects.ts and are idempotent.
 *
 * Source: A3, D12.7
 */
export type AgentEffects = {
  /** The call that holds the agent learns what became of the leg. */
  sendTo: Outgoing | null;
  /** A leg that no reservation covers must not go on. */
  killLeg: { fence: string; cellId: string; cause: string };
  /** Ask the switch how the leg stands; answers with legRinging, legAnswered or legMissing, and with nothing when the cell is away. */
  probeLeg: { fence: string; cellId: string; legUuid?: string | undefined };
};
