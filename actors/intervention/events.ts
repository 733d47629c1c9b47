import type { LegAsker, LegMode } from '#legs/leg.ts';

/** `now`: interrupts the bot's sentence. Source: D9.3 */
export type InterventionTiming = 'boundary' | 'now';

/**
 * Events of a leg, of an agent's own call or in a conference; they may arrive in any order and repeatedly.
 *
 * Units:  `at` UTC ms
 * Source: D12.5, D12.6, test/fixtures/esl/README.md §3
 */
export type LegEvent =
  /** The leg is about to be dialled; only the sender of the first such event may dial. */
  | { type: 'legDialled' }
  | { type: 'legRang' }
  | { type: 'legJoined'; at: number }
  /** The channel has ended, or certainly never existed. */
  | { type: 'legLeft'; at: number; cause: string }
  /** The switch does not know the channel. */
  | { type: 'legMissing'; at: number }
  /** The leg must end, whatever its channel is doing. */
  | { type: 'legDismissed'; at: number; cause: string }
  /** The switch lists the leg as a member of the room. */
  | { type: 'memberSeen'; memberId: number; canSpeak: boolean }
  /** A user requests another mode. */
  | { type: 'modeAsked'; mode: LegMode; by: LegAsker }
  /** The switch has applied the audio settings of the new mode. */
  | { type: 'voiceChanged'; mode: LegMode; memberId: number; canSpeak: boolean };

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

export type InterventionEvent = LegEvent | TakeOverEvent;
