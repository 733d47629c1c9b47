interface Options<Item> {
  /** Pieces under way at most. */
  maxAtOnce: number;
  /** Pieces that wait at most. */
  maxWaiting: number;
  /** Must not reject. */
  work: (item: Item) => Promise<void>;
}

/**
 * Works on a few items at once, in the order in which they came.
 *
 * Why: what waits stands as it came, small; what is under way holds all that is made of it
 */
export class WorkRow<Item extends object> {
  readonly #options: Options<Item>;
  readonly #waiting: Item[] = [];
  readonly #whenIdle: (() => void)[] = [];
  #underWay = 0;

  constructor(options: Options<Item>) {
    this.#options = options;
  }

  /** False: too many wait, and it is not taken. */
  add(item: Item): boolean {
    const { maxAtOnce, maxWaiting } = this.#options;
    if (this.#underWay < maxAtOnce) void this.#workFrom(item);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(item);
    else return false;
    return true;
  }

  /** Resolves when nothing is under way, and nothing waits. */
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
