/**
 * What an agent's actor asks the world to do, as data; executors live in operations/agents/effects.ts and are idempotent.
 *
 * Source: A3, D12.7
 */
export type AgentEffects = {
  /** Whoever reserved the agent learns what became of the leg. */
  notifyHolder: LegNews;
  /** A leg that no reservation covers must not go on. */
  killLeg: { fence: string; cellId: string; cause: string };
  /** Ask the switch how the leg stands; answers with legRinging, legAnswered or legMissing, and with nothing when the cell is away. */
  probeLeg: { fence: string; cellId: string; legUuid?: string | undefined };
};

export interface LegNews {
  holder: string;
  fence: string;
  /** `expired`: nobody picked up within the reservation's time. */
  what: 'ringing' | 'answered' | 'ended' | 'expired';
  cause: string | null;
  /** UTC ms of the answer. */
  answeredAt: number | null;
}
