import type { Clock } from '#kernel/clock.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { modelFailed } from './failures.ts';
import { BREAKER_FAILURES, BREAKER_OPEN_MS } from './settings.ts';

/** Circuit breaker of the model. */
export interface Breaker {
  /**
   * Runs `work`; after too many consecutive failures it rejects at once for a while, then lets a single question through as a probe.
   *
   * Errors: DOWNSTREAM_INVALID while open
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createBreaker(clock: Clock): Breaker {
  let failures = 0;
  let openUntil = Number.NEGATIVE_INFINITY;
  let isProbing = false;
  const settle = (failed: boolean) => {
    isProbing = false;
    failures = failed ? failures + 1 : 0;
    if (failures >= BREAKER_FAILURES) openUntil = clock.monotonic() + BREAKER_OPEN_MS;
  };
  return {
    async run(work) {
      const isTripped = failures >= BREAKER_FAILURES;
      if (isTripped && (isProbing || clock.monotonic() < openUntil)) throw modelFailed('暂不可用');
      isProbing = isTripped;
      try {
        const result = await work();
        settle(false);
        return result;
      } catch (error) {
        // A full queue is no evidence about the model.
        if (isCalloutError(error, 'RATE_LIMITED')) isProbing = false;
        else settle(true);
        throw error;
      }
    },
  };
}
