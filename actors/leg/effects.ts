/**
 * What a leg asks the world to do; executors live in operations/conferences/leg-actor.ts and are idempotent: each look at the switch repeats what is
 * left of them.
 *
 * Source: D12.6, D12.7
 */
export type LegEffects = {
  /** Agent and slot that it held are free. */
  freeLeg: undefined;
  endChannel: undefined;
  /** The switch mutes or unmutes it. */
  changeVoice: { canSpeak: boolean };
};
