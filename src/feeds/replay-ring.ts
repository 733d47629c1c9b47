/** The newest `limit` entries by position, for listeners that come back. */
export class ReplayRing<Entry> {
  readonly #limit: number;
  readonly #entries: (Entry | undefined)[];
  #last = 0;
  /** Everything after this position is held. */
  #from = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#entries = Array.from({ length: limit });
  }

  /** Position of the newest entry. */
  get last(): number {
    return this.#last;
  }

  /** Position of the entry that is put in next. */
  get next(): number {
    return this.#last + 1;
  }

  put(entry: Entry): void {
    this.#last += 1;
    this.#entries[this.#last % this.#limit] = entry;
    this.#from = Math.max(this.#from, this.#last - this.#limit);
  }

  /** Nothing before now can be replayed any more, and what is told from now on has new positions. */
  forget(): void {
    this.#last += 1;
    this.#from = this.#last;
    this.#entries.fill(undefined);
  }

  /** What came after `position`; null when that is not held any more or never was. */
  after(position: number): Entry[] | null {
    if (position < this.#from || position > this.#last) return null;
    const entries: Entry[] = [];
    for (let at = position + 1; at <= this.#last; at++) {
      const entry = this.#entries[at % this.#limit];
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }
}
