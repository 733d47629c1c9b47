import type { AgentStatus } from '#agents/agent.ts';

/**
 * Events of an agent; they may arrive in any order and repeatedly. Events of a leg count only under the fence of the current reservation.
 *
 * Units:  `at` UTC ms
 * Source: D12.1, D12.7
 */
export type AgentEvent =
  /** `reason`: code of the reason for being busy. */
  | { type: 'statusChosen'; status: AgentStatus; reason?: string | null; at: number }
  | {
      type: 'reserveRequested';
      holder: string;
      fence: string;
      cellId: string;
      currentCall: string | null;
      wrapUpMs: number;
      /** Whether the agent must say what came of the call. */
      isRequired?: boolean;
      campaignId?: number | null;
      isOwnCall: boolean;
      /** Holder of the reservation that this one replaces: the agent's phone has not been called for it. */
      takesOver?: string | undefined;
      at: number;
    }
  | { type: 'legRinging'; fence: string; cellId: string; at?: number }
  /** `legUuid`: the agent's browser has dialled in with a channel of its own. */
  | { type: 'legAnswered'; fence: string; cellId: string; legUuid?: string | undefined; at: number }
  | { type: 'legEnded'; fence: string; cause: string; at: number }
  /** The switch has no such leg: it has ended, or has not been dialled yet. */
  | { type: 'legMissing'; fence: string; cause: 'UNKNOWN'; at: number }
  /** The holder releases the agent: the leg has ended or was never dialled. */
  | { type: 'released'; fence: string; at: number }
  | { type: 'released'; holder: string; at: number }
  /** Events may have been lost: probe the leg now. */
  | { type: 'legSuspected' }
  /** The agent has said what came of a call; `callKeys`: the names under which a reservation may know it. */
  | { type: 'disposed'; callKeys: readonly string[]; at: number }
  | { type: 'wrapUpExtended'; at: number }
  /** Only a supervisor ends a wrap-up that waits for a disposition. */
  | { type: 'wrapUpEnded'; isSupervisor: boolean; at: number };
