import type { Cancel, Clock } from '#kernel/clock.ts';

export interface Freshness {
  /** Whether a message that arrives now was sent just now. */
  isFresh(): boolean;
  stop(): void;
}

const TICK_MS = 500;
/** Longer than a busy process takes between two ticks, in ms. */
const STOOD_STILL_MS = 3_000;
/** Upper bound of the time in which messages that queued up during a stall are read, in ms. */
const BURST_MS = 1_000;

/**
 * Distinguishes current messages from those that queued up while this process was stalled.
 *
 * Why: after a stall the process reads at once everything that arrived meanwhile, and the senders may be gone by then
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
