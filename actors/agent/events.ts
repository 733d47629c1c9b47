import type { AgentStatus } from '#rules/agent-status.ts';

/**
 * What can happen to an agent, in any order and more than once. A leg speaks for the agent only under the fence of the present reservation.
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
      /** Holder whose reservation this one follows: the agent's phone has not been called for it. */
      takesOver?: string | undefined;
      at: number;
    }
  | { type: 'legRinging'; fence: string; cellId: string }
  /** `legUuid`: the agent's browser has dialled in under a channel of its own. */
  | { type: 'legAnswered'; fence: string; cellId: string; legUuid?: string | undefined; at: number }
  | { type: 'legEnded'; fence: string; cause: string; at: number }
  /** The switch has no such leg: it is over, unless nobody has called it yet. */
  | { type: 'legMissing'; fence: string; cause: 'UNKNOWN'; at: number }
  /** The holder gives the agent back: the leg is over or was never dialled. */
  | { type: 'released'; fence: string; at: number }
  | { type: 'released'; holder: string; at: number }
  /** Something may have swallowed events: look at the leg now. */
  | { type: 'legSuspected' };
