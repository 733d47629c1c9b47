import type { ReadUtterance } from './evidence.ts';

/** Most cached readings; about 2 KiB each. */
export const MAX_READINGS = 1_024;
/** Most utterances remembered as heard once. */
export const MAX_HEARD = 4_096;
/** Utterances that recur are short. Characters. */
const MAX_KEPT_CHARS = 32;

/**
 * Caches the readings of short utterances, because customers give the same few hundred replies again and again.
 *
 * Why: a reading is cached from its second occurrence, because an utterance that occurs once would only cost memory and garbage collection
 */
export class ReadingCache {
  readonly #readings = new Map<string, ReadUtterance>();
  readonly #heard = new Set<string>();

  get size(): number {
    return this.#readings.size;
  }

  get(text: string, read: (text: string) => ReadUtterance): ReadUtterance {
    const known = this.#readings.get(text);
    if (known) return known;
    const reading = read(text);
    if (text.length > MAX_KEPT_CHARS) return reading;
    // Clears everything when full: cheaper than tracking use.
    if (this.#heard.delete(text)) {
      if (this.#readings.size >= MAX_READINGS) this.#readings.clear();
      this.#readings.set(text, reading);
    } else {
      if (this.#heard.size >= MAX_HEARD) this.#heard.clear();
      this.#heard.add(text);
    }
    return reading;
  }
}
