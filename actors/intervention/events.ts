import type { LegAsker, LegMode } from '#rules/leg.ts';

/** `now`: the bot's sentence is cut. Source: D9.3 */
export type InterventionTiming = 'boundary' | 'now';

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

/**
 * What can happen to the take-over of a call, in any order and more than once.
 *
 * Units:  `at` UTC ms
 * Source: OCS 3 "Human intervention", D9.3, A7
 */
export type TakeOverEvent =
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

export type InterventionEvent = LegEvent | TakeOverEvent;
