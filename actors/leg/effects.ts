import type { LegMode } from '#legs/leg.ts';

/**
 * Effects of a leg, as data; executors are in conferences/effects.ts and are idempotent. For an agent's own call, the call's machine decides
 * the consequences.
 *
 * Source: D12.6, D12.7
 */
export type LegEffects = {
  /** Releases the leg's agent and slot. */
  freeLeg: undefined;
  endChannel: undefined;
  /** Applies the mode's audio settings at the switch; answers with voiceChanged. */
  changeVoice: { mode: LegMode };
};

/** Events of a leg for its conference, in the same commit. */
export type LegMessages = { toConference: { type: 'personJoined'; at: number } };
