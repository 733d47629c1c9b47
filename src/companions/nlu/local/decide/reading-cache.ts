import type { ReadUtterance } from './evidence.ts';

/** Most readings that are kept; about 2 KiB each. */
export const MAX_READINGS = 1_024;
/** Most utterances of which it is remembered that they were heard once. */
export const MAX_HEARD = 4_096;
/** What customers say again and again is short. Characters. */
const MAX_KEPT_CHARS = 32;

/**
 * Remembers how short utterances were read: on the telephone the same few hundred replies come again and again.
 *
 * Why: a reading is kept from the second time on, because what is said once only would cost memory and its collection
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
    // When full, everything is forgotten: cheaper than an order of use.
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
