interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes single items in groups: what comes while one group is being written makes up the next; every caller learns the fate of its own item.
 *
 * Why:    nobody waits when nothing is under way, and a burst costs as many writes as the store can do, not as many as there are items
 * Shape:  at most `maxGroup` items are written together; `write` gives one result per item, in their order
 */
export class GroupCommit<Item, Result> {
  readonly #maxGroup: number;
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  #waiting: Entry<Item, Result>[] = [];
  #isWriting = false;

  constructor(options: { maxGroup: number; write: (items: readonly Item[]) => Promise<readonly Result[]> }) {
    this.#maxGroup = options.maxGroup;
    this.#write = options.write;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#maxGroup);
      try {
        const results = await this.#write(group.map(entry => entry.item));
        if (results.length !== group.length) throw new Error(`${results.length} results for ${group.length} items`);
        for (const [index, result] of results.entries()) group[index]?.resolve(result);
      } catch (error) {
        for (const entry of group) entry.reject(error);
      }
    }
    this.#isWriting = false;
  }
}
