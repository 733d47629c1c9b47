import type { Cancel, Clock } from '#kernel/clock.ts';

export interface Freshness {
  /** Whether what arrives now was sent just now. */
  isFresh(): boolean;
  stop(): void;
}

const TICK_MS = 500;
/** Longer than a busy process needs between two ticks, ms. */
const STOOD_STILL_MS = 3_000;
/** What has waited is read in a burst, over within this. ms */
const BURST_MS = 1_000;

/**
 * Tells a message of now from one that waited while this process stood still.
 *
 * Why: a process that was held up reads at once what came meanwhile, and its senders may be gone by then
 */
export function watchFreshness(clock: Pick<Clock, 'monotonic' | 'schedule'>): Freshness {
  let tickedAt = clock.monotonic();
  let freshFrom = tickedAt;
  let cancel: Cancel = clock.schedule(TICK_MS, tick);
  function tick(): void {
    const now = clock.monotonic();
    if (now - tickedAt > STOOD_STILL_MS) freshFrom = now + BURST_MS;
    tickedAt = now;
    cancel = clock.schedule(TICK_MS, tick);
  }
  return {
    isFresh() {
      const now = clock.monotonic();
      return now >= freshFrom && now - tickedAt <= STOOD_STILL_MS;
    },
    stop: () => cancel(),
  };
}
