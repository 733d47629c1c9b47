import type { LegMode } from '#rules/leg.ts';

/**
 * What a leg in a conference asks the world to do; executors live in operations/conferences/send-to-leg.ts and are idempotent: each look at the switch
 * repeats what is left of them. Of an agent's own call the call's machine decides what follows.
 *
 * Source: D12.6, D12.7
 */
export type LegEffects = {
  /** Agent and slot that it held are free. */
  freeLeg: undefined;
  endChannel: undefined;
  /** The switch has it heard as this part says; answers with voiceChanged. */
  changeVoice: { mode: LegMode };
};
