import type { ReadUtterance } from './evidence.ts';

/** Most readings that are kept; about 2 KiB each. */
export const MAX_READINGS = 1_024;
/** What customers say again and again is short. Characters. */
const MAX_KEPT_CHARS = 32;

/** Remembers how short utterances were read: on the telephone the same few hundred replies come again and again. */
export class ReadingCache {
  readonly #readings = new Map<string, ReadUtterance>();

  get size(): number {
    return this.#readings.size;
  }

  get(text: string, read: (text: string) => ReadUtterance): ReadUtterance {
    const known = this.#readings.get(text);
    if (known) return known;
    const reading = read(text);
    if (text.length <= MAX_KEPT_CHARS) {
      // When full, everything is forgotten: cheaper than an order of use.
      if (this.#readings.size >= MAX_READINGS) this.#readings.clear();
      this.#readings.set(text, reading);
    }
    return reading;
  }
}
