/** Evidence that a runtime speaks with the customer, from its reports; JSON only. */
export interface Speech {
  /** It has reported `started`, or a caption of the bot has arrived. */
  hasBegun: boolean;
  /** Latest caption of the bot at the last check; null when there is none. */
  botMark: string | null;
  /** Latest caption of any speaker at the last check. */
  lastMark: string | null;
  /** Consecutive checks without anything new after the customer's last words. */
  silentLooks: number;
}

/** Result of checking a call's captions. */
export interface SpeechFound {
  type: 'speechFound';
  /** Epoch of the hand-over that was checked. */
  epoch: number;
  botMark: string | null;
  lastMark: string | null;
  /** The customer spoke last. */
  isCustomers: boolean;
  /** The customer is with an agent, or one is being called. */
  isElsewhere: boolean;
}

/** Limit of runtimes that may fail by saying nothing, since each costs a waiting customer time. */
export const MAX_MUTE_TAKES = 2;

/** Checks within the silence limit: the silence begins at the first check that finds nothing new. */
const LOOKS_PER_SILENCE = 2;

interface Heard {
  runtimeStarted?: boolean;
  isRestored?: boolean;
  speech?: Speech;
}

/**
 * The evidence at the time when a runtime accepts the call.
 *
 * Why: for a call from before a loss of the live state, only its progress is evidence; an unregistered runtime need not send captions
 */
export function speechAtTake({ runtimeStarted, isRestored, speech }: Heard, owner: string | null): Speech {
  const hasBegun = runtimeStarted === true || (isRestored === true && owner === null);
  return { hasBegun, botMark: speech?.botMark ?? null, lastMark: speech?.lastMark ?? null, silentLooks: 0 };
}

/** The evidence after a check. */
export function speechAfter(speech: Speech, { botMark, lastMark, isCustomers, isElsewhere }: SpeechFound): Speech {
  const isSilent = isCustomers && !isElsewhere && lastMark === speech.lastMark;
  return {
    hasBegun: speech.hasBegun || isElsewhere || (botMark !== null && botMark !== speech.botMark),
    botMark,
    lastMark,
    silentLooks: isSilent ? speech.silentLooks + 1 : 0,
  };
}

/** The kind of failure; null when the runtime speaks. */
export function failureOf(speech: Speech, found: SpeechFound): 'mute' | 'silent' | null {
  const after = speechAfter(speech, found);
  if (!after.hasBegun) return 'mute';
  return after.silentLooks >= LOOKS_PER_SILENCE ? 'silent' : null;
}

/** Interval between checks, ms. */
export function lookMs(silenceMs: number): number {
  return silenceMs / LOOKS_PER_SILENCE;
}
