interface Entry<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Writes single items in groups: what comes while one group is being written makes up the next; every caller learns the fate of its own group.
 *
 * Why:    nobody waits when nothing is under way, and a burst costs as many writes as the store can do, not as many as there are items
 * Shape:  at most `maxGroup` items are written together
 */
export class GroupCommit<Item> {
  readonly #maxGroup: number;
  readonly #write: (items: readonly Item[]) => Promise<unknown>;
  #waiting: Entry<Item>[] = [];
  #isWriting = false;

  constructor(options: { maxGroup: number; write: (items: readonly Item[]) => Promise<unknown> }) {
    this.#maxGroup = options.maxGroup;
    this.#write = options.write;
  }

  add(item: Item): Promise<void> {
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
        await this.#write(group.map(entry => entry.item));
        for (const entry of group) entry.resolve();
      } catch (error) {
        for (const entry of group) entry.reject(error);
      }
    }
    this.#isWriting = false;
  }
}
