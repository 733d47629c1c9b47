import type { Clock } from '#kernel/clock.ts';

export interface Breaker {
  /** Whether a request may be made now. After a pause one may, and its outcome decides. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
}

/** Stops asking after `failures` failures in a row, for `pauseMs`; then one request finds out. */
export function createBreaker(clock: Clock, { failures, pauseMs }: { failures: number; pauseMs: number }): Breaker {
  let inRow = 0;
  let closedUntil = 0;
  return {
    admits() {
      if (inRow < failures) return true;
      if (clock.monotonic() < closedUntil) return false;
      // The next ones wait for what this one finds out.
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
