import type { LegMode, LegRequester } from '#legs/leg.ts';

/**
 * Events of a leg, of an agent's own call or in a conference; they may arrive in any order and repeatedly.
 *
 * Units:  `at` UTC ms
 * Source: D12.5, D12.6, test/fixtures/esl/README.md §3
 */
export type LegEvent =
  /** The leg is about to be dialled; only the sender of the first such event may dial. */
  | { type: 'legDialled'; at: number }
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
  | { type: 'modeRequested'; mode: LegMode; by: LegRequester }
  /** The switch has applied the audio settings of the new mode. */
  | { type: 'voiceChanged'; mode: LegMode; memberId: number; canSpeak: boolean };
