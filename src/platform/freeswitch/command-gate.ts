/**
 * Limits the commands in flight; a bounded number of others waits in order.
 *
 * Why: one connection handles about 800 originates a second; more in flight only delays every reply
 */
export class CommandGate {
  readonly #maxInside: number;
  readonly #maxWaiting: number;
  readonly #waiting: ((isAdmitted: boolean) => void)[] = [];
  #inside = 0;

  constructor(maxInside: number, maxWaiting: number) {
    this.#maxInside = maxInside;
    this.#maxWaiting = maxWaiting;
  }

  /** Returns true when admitted, false when rejected, or a promise of either. An admitted caller must call `leave`. */
  enter(): boolean | Promise<boolean> {
    if (this.#inside < this.#maxInside) {
      this.#inside += 1;
      return true;
    }
    if (this.#waiting.length >= this.#maxWaiting) return false;
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next(true);
    else this.#inside -= 1;
  }

  /** Rejects all waiting callers. */
  clear(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}
