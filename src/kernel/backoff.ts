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
