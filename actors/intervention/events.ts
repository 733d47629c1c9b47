/** `now`: the bot's sentence is cut. Source: D9.3 */
export type InterventionTiming = 'boundary' | 'now';

/**
 * What can happen to the intervention of a call, in any order and more than once.
 *
 * Units:  `at` UTC ms
 * Source: OCS 3 "Human intervention", D9.3, A7
 */
export type InterventionEvent =
  /** The call decides whether this person may claim it. */
  | {
      type: 'interventionClaimed';
      id: string;
      userId: number | null;
      agentId: number | null;
      isSupervisor: boolean;
      when?: InterventionTiming;
      at: number;
    }
  | { type: 'interventionCancelled'; userId: number | null; at: number }
  /** The runtime stands at a node boundary and asks to begin the transfer. */
  | { type: 'interventionConsumed'; id: string; at: number }
  /** What the runtime says has happened. */
  | {
      type: 'interventionNoticed';
      id: string;
      status: 'transferring' | 'active' | 'ended' | 'failed';
      agentId: number | null;
      reason: string | null;
      at: number;
    }
  /** The call is no longer live; `at` null when nobody saw it end. */
  | { type: 'callLeft'; at: number | null };
