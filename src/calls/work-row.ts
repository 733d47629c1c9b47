interface Options<Item> {
  /** Upper limit of items in progress. */
  maxAtOnce: number;
  /** Upper limit of waiting items. */
  maxWaiting: number;
  /** Must not reject. */
  work: (item: Item) => Promise<void>;
}

/**
 * A bounded queue: processes up to `maxAtOnce` items concurrently, first come, first served.
 *
 * Why: a waiting item is small (its raw form); an item in progress holds everything that is derived from it
 */
export class WorkRow<Item extends object> {
  readonly #options: Options<Item>;
  readonly #waiting: Item[] = [];
  readonly #whenIdle: (() => void)[] = [];
  #underWay = 0;

  constructor(options: Options<Item>) {
    this.#options = options;
  }

  /** False when the queue is full; the item is not taken. */
  add(item: Item): boolean {
    const { maxAtOnce, maxWaiting } = this.#options;
    if (this.#underWay < maxAtOnce) void this.#workFrom(item);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(item);
    else return false;
    return true;
  }

  /** Resolves when no item is waiting or in progress. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>(resolve => this.#whenIdle.push(resolve));
  }

  async #workFrom(first: Item): Promise<void> {
    this.#underWay++;
    for (let item: Item | undefined = first; item; item = this.#waiting.shift()) await this.#options.work(item);
    this.#underWay--;
    if (this.#underWay === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}
