import { expect } from '@jest/globals';
import { playSeeds } from './play-seeds.ts';

/**
 * Plays these seeds and expects each to break no invariant and to come to rest: I1–I14, liveness.
 *
 * Why: a run in which little happens proves nothing, so there must have been enough dials, results and faults
 */
export async function expectHeld({ from, to }: { from: number; to: number }): Promise<void> {
  const totals = await playSeeds({ from, to, options: {} });
  const count = to - from + 1;
  // `npm run simulate -- --seed S` replays a seed listed here.
  expect(totals.violations).toEqual([]);
  expect(totals.seeds).toBe(count);
  const { dials, strictDials, consentedDials, packedDials, results, crashes, pauses, wipes, cuts, restarts } = totals;
  expect(Math.min(dials, results, crashes) / count).toBeGreaterThan(3);
  expect(strictDials).toBeGreaterThan(count);
  expect(Math.min(consentedDials, packedDials)).toBeGreaterThan(count / 4);
  expect(Math.min(pauses, wipes, cuts, restarts)).toBeGreaterThan(count / 10);
}
