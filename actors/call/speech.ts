/** Whether a runtime speaks with the customer whom it has taken, as far as its reports show; JSON only. */
export interface Speech {
  /** It has reported `started`, or the bot's words have come. */
  hasBegun: boolean;
  /** The bot's newest caption at the last look; null: none. */
  botMark: string | null;
  /** The newest caption of anybody at the last look. */
  lastMark: string | null;
  /** Looks in a row since which nothing was heard after words of the customer. */
  silentLooks: number;
}

/** What a look at a call's captions has found. */
export interface SpeechFound {
  type: 'speechFound';
  /** Of the hand-over that was asked about. */
  epoch: number;
  botMark: string | null;
  lastMark: string | null;
  /** The customer has the last word. */
  isCustomers: boolean;
  /** Somebody else has the customer, or is being called for them. */
  isElsewhere: boolean;
}

/** One that took calls in vain is no reason to try all the others while a customer waits. */
export const MAX_MUTE_TAKES = 2;

/** Looks within the limit of silence: the first one that nothing has followed upon begins it. */
const LOOKS_PER_SILENCE = 2;

interface Heard {
  runtimeStarted?: boolean;
  isRestored?: boolean;
  speech?: Speech;
}

/**
 * What is known when a runtime takes the call.
 *
 * Why: of a call from before the live state was lost only its going on can tell; one that never registered need not send captions
 */
export function speechAtTake({ runtimeStarted, isRestored, speech }: Heard, owner: string | null): Speech {
  const hasBegun = runtimeStarted === true || (isRestored === true && owner === null);
  return { hasBegun, botMark: speech?.botMark ?? null, lastMark: speech?.lastMark ?? null, silentLooks: 0 };
}

/** After a look. */
export function speechAfter(speech: Speech, { botMark, lastMark, isCustomers, isElsewhere }: SpeechFound): Speech {
  const isSilent = isCustomers && !isElsewhere && lastMark === speech.lastMark;
  return {
    hasBegun: speech.hasBegun || isElsewhere || (botMark !== null && botMark !== speech.botMark),
    botMark,
    lastMark,
    silentLooks: isSilent ? speech.silentLooks + 1 : 0,
  };
}

/** How the runtime fails the customer; null: it does not. */
export function failureOf(speech: Speech, found: SpeechFound): 'mute' | 'silent' | null {
  const after = speechAfter(speech, found);
  if (!after.hasBegun) return 'mute';
  return after.silentLooks >= LOOKS_PER_SILENCE ? 'silent' : null;
}

/** From one look to the next, ms. */
export function lookMs(silenceMs: number): number {
  return silenceMs / LOOKS_PER_SILENCE;
}
