/** The fate of a callback whose call reached nobody. Source: D7.12 */
export const CALLBACK_FATES = ['again', 'next_day', 'anybody', 'give_up'] as const;
export type CallbackFate = (typeof CALLBACK_FATES)[number];

export const MAX_CALLBACK_MINUTES = 1_440;
export const MAX_CALLBACK_MISSES = 20;

/** How a campaign treats the callbacks that it has promised. */
export interface CallbackRules {
  callbackMissed: CallbackFate;
  /** Wait after a call that reached nobody, for the fates `again` and `anybody`. */
  callbackAgainMinutes: number;
  /** Calls that may reach nobody before a callback is given up. */
  callbackMaxMisses: number;
  /** How long a personal callback waits for its agent before it is dialled like any other. */
  anybodyAfterMinutes: number;
}

export const CALLBACK_RULE_DEFAULTS = {
  callbackMissed: 'again',
  callbackAgainMinutes: 15,
  callbackMaxMisses: 3,
  anybodyAfterMinutes: 10,
} as const satisfies CallbackRules;
