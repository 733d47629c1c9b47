interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Options<Item, Result> {
  /** Upper limit of items per write. */
  maxBatch: number;
  /** Calls back when the waiting items are to be written. Absent: items that arrive during a write form the next batch. */
  linger?: (leave: () => void) => void;
  /** Starts a batch only after the previous one is written; by default true without `linger`, false with it. */
  inTurn?: boolean;
  /** Returns one result per item, in the same order, or nothing when callers need no result. */
  write: (items: readonly Item[]) => Promise<readonly Result[] | void>;
}

/**
 * Groups single items into batches; each caller gets the result of its own item.
 *
 * Why: a burst costs as few writes as the store can keep up with; without `linger` an item is written at once while the store is idle
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
