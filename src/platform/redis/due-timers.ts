import type { Clock } from '#kernel/clock.ts';

const TICK_MS = 50;
/** Later timers are left to the sweep of all partitions, ms. */
const HORIZON_MS = 60_000;

/**
 * Partitions in which this process has set timers that are due. A timer that has been cancelled costs a needless look-up.
 *
 * Why: two look-ups in each of 256 partitions four times a second caused half of an idle server's load
 */
export class DueTimers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Partition keys by the tick at which their timers are certainly due. */
  readonly #ticks = new Map<number, Set<string>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Call it after the store has answered, so that the store's clock started no later. */
  note(key: string, delayMs: number): void {
    if (delayMs > HORIZON_MS) return;
    const tick = Math.floor((this.#clock.monotonic() + delayMs) / TICK_MS) + 1;
    const keys = this.#ticks.get(tick);
    if (keys) keys.add(key);
    else this.#ticks.set(tick, new Set([key]));
  }

  /** Returns each due tick once. */
  take(): string[] {
    const now = this.#clock.monotonic() / TICK_MS;
    const due = [...this.#ticks].filter(([tick]) => tick <= now);
    for (const [tick] of due) this.#ticks.delete(tick);
    return [...new Set(due.flatMap(([, keys]) => [...keys]))];
  }
}
