interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Options<Item, Result> {
  /** Items that are written together at most. */
  maxBatch: number;
  /** Calls back when what has come by then is to leave; absent: what comes while one batch is being written makes up the next. */
  linger?: (leave: () => void) => void;
  /** Of what lingers: a batch waits until the one before it is written. Absent: they overtake each other. */
  inTurn?: boolean;
  /** One result per item, in their order; none when nobody asks for one. */
  write: (items: readonly Item[]) => Promise<readonly Result[] | void>;
}

/**
 * Writes single items in batches; every caller learns what became of its own.
 *
 * Why: a burst costs as many writes as the store can do, not as many as there are items; without `linger` nobody waits when nothing is under way
 */
export class MicroBatcher<Item, Result = void> {
  readonly #options: Options<Item, Result>;
  #waiting: Entry<Item, Result>[] = [];
  #isWriting = false;

  constructor(options: Options<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    const { linger, maxBatch } = this.#options;
    if (this.#mustWait()) return;
    if (linger === undefined) void this.#writeNext();
    else if (this.#waiting.length >= maxBatch) void this.#writeNext();
    else if (this.#waiting.length === 1) linger(() => void this.#writeNext());
  }

  #mustWait(): boolean {
    const { linger, inTurn = linger === undefined } = this.#options;
    return inTurn && this.#isWriting;
  }

  async #writeNext(): Promise<void> {
    const { linger, inTurn = linger === undefined, maxBatch, write } = this.#options;
    if (this.#mustWait()) return;
    const batch = this.#waiting.splice(0, maxBatch);
    if (batch.length === 0) return;
    this.#isWriting = true;
    try {
      const results = await write(batch.map(entry => entry.item));
      if (results && results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`);
      for (const [index, entry] of batch.entries()) entry.resolve(results?.[index] as Result);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
    this.#isWriting = false;
    if (inTurn) void this.#writeNext();
  }
}
