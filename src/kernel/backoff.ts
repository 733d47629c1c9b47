import { type Clock, sleep } from './clock.ts';
import type { Random } from './random.ts';

export interface BackoffPlan {
  /** First delay, ms. */
  baseMs: number;
  /** Upper limit of a delay, ms. */
  maxMs: number;
}

/** Exponential delay with half jitter: attempt 0 → base/2..base, doubling up to max. */
export function backoffDelayMs(plan: BackoffPlan, attempt: number, random: Random): number {
  const ceiling = Math.min(plan.maxMs, plan.baseMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random.next());
}

export interface PatiencePlan {
  /** Pause between two attempts, ms. */
  pauseMs: number;
  /** The last attempt starts within this time of the first, ms. */
  timeoutMs: number;
  /** Errors that a retry cannot fix: rethrown at once. */
  isFinal?: (error: unknown) => boolean;
}

/** Retries `work` until it succeeds or the timeout passes, then rethrows the last error. */
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
