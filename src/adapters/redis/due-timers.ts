import type { Clock } from '#kernel/clock.ts';

const TICK_MS = 50;
/** What is due later is found by a look at every partition, ms. */
const HORIZON_MS = 60_000;

/**
 * Where this process has set timers that are due by now. A timer that was cancelled since costs a look in vain.
 *
 * Why: two looks at each of 256 partitions four times a second were half of what an idle server did
 */
export class DueTimers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Keys of partitions by the tick at which their timers are surely due. */
  readonly #ticks = new Map<number, Set<string>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Once the store has answered, so that its own clock began no later. */
  note(key: string, delayMs: number): void {
    if (delayMs > HORIZON_MS) return;
    const tick = Math.floor((this.#clock.monotonic() + delayMs) / TICK_MS) + 1;
    const keys = this.#ticks.get(tick);
    if (keys) keys.add(key);
    else this.#ticks.set(tick, new Set([key]));
  }

  /** Each time is handed out once. */
  take(): string[] {
    const now = this.#clock.monotonic() / TICK_MS;
    const due = [...this.#ticks].filter(([tick]) => tick <= now);
    for (const [tick] of due) this.#ticks.delete(tick);
    return [...new Set(due.flatMap(([, keys]) => [...keys]))];
  }
}
