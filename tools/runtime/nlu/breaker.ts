import type { Clock } from '#kernel/clock.ts';

export interface Breaker {
  /** Whether a request may be sent. After a pause one probe may, and its outcome decides. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
}

/** Circuit breaker: opens after `failures` consecutive failures for `pauseMs`; then one request probes the service. */
export function createBreaker(clock: Clock, { failures, pauseMs }: { failures: number; pauseMs: number }): Breaker {
  let inRow = 0;
  let closedUntil = 0;
  return {
    admits() {
      if (inRow < failures) return true;
      if (clock.monotonic() < closedUntil) return false;
      // Later requests wait for the outcome of the probe.
      closedUntil = clock.monotonic() + pauseMs;
      return true;
    },
    succeeded() {
      inRow = 0;
    },
    failed() {
      inRow += 1;
      if (inRow >= failures) closedUntil = clock.monotonic() + pauseMs;
    },
  };
}
