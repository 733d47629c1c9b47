import type { AgentStatus } from '#agents/agent.ts';

/**
 * Events of an agent; they may arrive in any order and repeatedly. Events of a leg count only under the fence of the current reservation.
 *
 * Units:  `at` UTC ms
 * Source: D12.1, D12.7
 */
export type AgentEvent =
  | { type: 'statusChosen'; status: AgentStatus; at: number }
  | {
      type: 'reserveRequested';
      holder: string;
      fence: string;
      cellId: string;
      currentCall: string | null;
      wrapUpMs: number;
      isOwnCall: boolean;
      /** Holder of the reservation that this one replaces: the agent's phone has not been called for it. */
      takesOver?: string | undefined;
      at: number;
    }
  | { type: 'legRinging'; fence: string; cellId: string }
  /** `legUuid`: the agent's browser has dialled in with a channel of its own. */
  | { type: 'legAnswered'; fence: string; cellId: string; legUuid?: string | undefined; at: number }
  | { type: 'legEnded'; fence: string; cause: string; at: number }
  /** The switch has no such leg: it has ended, or has not been dialled yet. */
  | { type: 'legMissing'; fence: string; cause: 'UNKNOWN'; at: number }
  /** The holder releases the agent: the leg has ended or was never dialled. */
  | { type: 'released'; fence: string; at: number }
  | { type: 'released'; holder: string; at: number }
  /** Events may have been lost: probe the leg now. */
  | { type: 'legSuspected' };
