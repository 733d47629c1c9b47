/**
 * Runs work of the same key in order and work of different keys concurrently.
 *
 * Why: two concurrent events of one call in one process would only cause a version conflict
 */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>();

  /** Number of keys with pending work. */
  get size(): number {
    return this.#tails.size;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }

  /** Resolves when every key is idle. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
