import { type Clock, sleep } from './clock.ts';
import type { Random } from './random.ts';

export interface BackoffPlan {
  /** First delay, ms. */
  baseMs: number;
  /** No delay is longer, ms. */
  maxMs: number;
}

/** Exponential delay with half jitter: attempt 0 → base/2..base, doubling up to max. */
export function backoffDelayMs(plan: BackoffPlan, attempt: number, random: Random): number {
  const ceiling = Math.min(plan.maxMs, plan.baseMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random.next());
}

export interface PatiencePlan {
  /** Between two tries, ms. */
  pauseMs: number;
  /** No try begins later than this after the first one, ms. */
  timeoutMs: number;
  /** Failures that no wait mends: thrown at once. */
  isFinal?: (error: unknown) => boolean;
}

/** Tries until it succeeds or the time is over; the last failure is thrown then. */
export async function patiently<T>(clock: Clock, { pauseMs, timeoutMs, isFinal }: PatiencePlan, work: () => Promise<T>): Promise<T> {
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFinal?.(error) === true || clock.monotonic() + pauseMs > deadline) throw error;
    }
    await sleep(clock, pauseMs);
  }
}
