import { expect } from '@jest/globals';

/** Durations below this are too short to compare, ms; quadratic code takes a hundred times as long. */
const AT_ONCE_MS = 250;
/** Largest allowed ratio of durations for twice the size: linear code needs about 2, quadratic code 4. */
const MOST = 3.2;
const RUNS = 3;

/** The fastest of several runs, because other processes use the CPU too, ms; the first one below `enoughMs` ends them. */
function timeOf(run: () => unknown, enoughMs = 0): number {
  let fastest = Infinity;
  for (let runs = 0; runs < RUNS && fastest >= enoughMs; runs += 1) fastest = Math.min(fastest, timeOnce(run));
  return fastest;
}

/** A run may throw: refusing takes time as well. */
function timeOnce(run: () => unknown): number {
  const from = performance.now();
  try {
    run();
  } catch {
    // Refused.
  }
  return performance.now() - from;
}

/** How many times as long twice the size takes, where that is more than linear code needs at two successive doublings; null otherwise. */
export function excessOf(run: (size: number) => unknown, size: number): number | null {
  const twice = timeOf(() => run(2 * size), AT_ONCE_MS);
  if (twice < AT_ONCE_MS || twice / timeOf(() => run(size)) < MOST) return null;
  // A garbage collection may double one figure, but not the next as well.
  const again = timeOf(() => run(4 * size)) / twice;
  return again < MOST ? null : again;
}

/** Compares sizes of one input in this very process, so that a busy machine slows down both sides. */
export function expectLinear(run: (size: number) => unknown, size: number): void {
  expect(excessOf(run, size)).toBeNull();
}
