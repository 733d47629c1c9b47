/** `now`: interrupts the bot's sentence. Source: D9.3 */
export type InterventionTiming = 'boundary' | 'now';

/**
 * Events of a call's take-over; they may arrive in any order and repeatedly.
 *
 * Units:  `at` UTC ms
 * Source: OCS 3 "Human intervention", D9.3, A7
 */
export type TakeOverEvent =
  /** The call decides whether the user may claim it. */
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
  /** The runtime is at a node boundary and requests to begin the transfer. */
  | { type: 'interventionConsumed'; id: string; at: number }
  /** The runtime reports what has happened. */
  | {
      type: 'interventionNoticed';
      id: string;
      status: 'transferring' | 'active' | 'ended' | 'failed';
      agentId: number | null;
      reason: string | null;
      at: number;
    }
  /** The call is no longer live; `at` is null when its end was not reported. */
  | { type: 'callLeft'; at: number | null };
