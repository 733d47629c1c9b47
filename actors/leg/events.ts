import type { LegAsker, LegMode } from '#rules/leg.ts';

/**
 * What can happen to one person's leg, of an agent's own call or in a conference, in any order and more than once.
 *
 * Units:  `at` UTC ms
 * Source: D12.5, D12.6, test/fixtures/esl/README.md §3
 */
export type LegEvent =
  /** It is about to be sent: whoever's event is the first may send it. */
  | { type: 'legDialled' }
  | { type: 'legRang' }
  | { type: 'legJoined'; at: number }
  /** Its channel is over, or certainly never was. */
  | { type: 'legLeft'; at: number; cause: string }
  /** The switch does not know its channel. */
  | { type: 'legMissing'; at: number }
  /** It is to go, whatever its channel does. */
  | { type: 'legDismissed'; at: number; cause: string }
  /** The room lists it. */
  | { type: 'memberSeen'; memberId: number; canSpeak: boolean }
  /** Somebody wants its part changed. */
  | { type: 'modeAsked'; mode: LegMode; by: LegAsker }
  /** The switch has it heard as its new part says. */
  | { type: 'voiceChanged'; mode: LegMode; memberId: number; canSpeak: boolean };
