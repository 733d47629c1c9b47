/**
 * Lets a bounded number of commands out at once; the others wait in order, a bounded number of them.
 *
 * Why: one connection takes about 800 originates a second; more in flight only makes each answer later
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

  /** Admitted at once (true), turned away (false), or decided later. The admitted must `leave`. */
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

  /** Turns away all that wait. */
  clear(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}
