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

/** How long an answered customer waits for a runtime, ms (I9). */
export const OFFER_LIMIT_MS = 4_000;

/** Limit of runtimes that may fail by saying nothing, since each costs a waiting customer time. */
export const MAX_MUTE_TAKES = 2;

export interface SpeechWaits {
  firstWordMs: number;
  silenceMs: number;
}

/** Checks within the silence limit: the silence begins at the first check that finds nothing new. */
const LOOKS_PER_SILENCE = 2;

/** Facts that a call has about the runtimes that spoke in it. */
interface Heard {
  runtimeStarted?: boolean;
  isRestored?: boolean;
  heardRuntime?: string;
  unheardMs?: number;
  speech?: Speech;
}

/** Whether this runtime was heard before the live state was lost: it need not show again that it speaks. */
function wasHeard({ isRestored, heardRuntime }: Heard, owner: string | null): boolean {
  return isRestored === true && heardRuntime === (owner ?? '');
}

/** Whether another runtime than the one heard before the live state was lost has taken the call. */
export function isTakenFromHeard(heard: Heard, owner: string | null): boolean {
  return heard.isRestored === true && heard.heardRuntime !== undefined && !wasHeard(heard, owner);
}

/** The evidence at the time when a runtime accepts the call. */
export function speechAtTake(heard: Heard, owner: string | null): Speech {
  const { runtimeStarted, speech } = heard;
  const hasBegun = runtimeStarted === true || wasHeard(heard, owner);
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

/** Longest wait that one mute runtime costs a customer, the offer included, ms. */
function takeMs(firstWordMs: number): number {
  return OFFER_LIMIT_MS + firstWordMs;
}

/** Mute runtimes that a wait of this length may have contained; at least one more runtime is tried. */
export function muteTakesIn(unheardMs: number, firstWordMs: number): number {
  return Math.min(MAX_MUTE_TAKES - 1, Math.floor(Math.max(0, unheardMs) / takeMs(firstWordMs)));
}

/**
 * Time from the acceptance of a call to the first check, ms.
 *
 * Why: a loss of the live state must not restart the customer's wait, however often it happens. A runtime whose first word was lost with the cache
 *      still gets half the limit to repeat it
 */
export function firstLookMs({ speech, isRestored, unheardMs }: Heard, { firstWordMs, silenceMs }: SpeechWaits): number {
  if (speech?.hasBegun === true) return lookMs(silenceMs);
  if (isRestored !== true || unheardMs === undefined) return firstWordMs;
  const leftMs = MAX_MUTE_TAKES * takeMs(firstWordMs) - unheardMs;
  return Math.min(firstWordMs, Math.max(leftMs, firstWordMs / 2));
}

/** Interval between checks, ms. */
export function lookMs(silenceMs: number): number {
  return silenceMs / LOOKS_PER_SILENCE;
}
