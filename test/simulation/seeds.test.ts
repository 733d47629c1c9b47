import { describe, expect, test } from '@jest/globals';
import { playSeeds } from './play-seeds.ts';
import { runScenario } from './run-scenario.ts';
import { drawScenario } from './scenario.ts';

const SEEDS = 300;
/** They take half a minute on two free cores. */
const TIMEOUT_MS = 400_000;

describe('the dispatcher under a seeded scheduler of faults [A8]', () => {
  test(
    `${SEEDS} seeds break no invariant and come to rest: I1–I6, liveness`,
    async () => {
      const totals = await playSeeds({ from: 1, to: SEEDS, options: {} });
      // `npm run simulate -- --seed S` replays what is listed here.
      expect(totals.violations).toEqual([]);
      expect(totals.seeds).toBe(SEEDS);
      // A run that does nothing proves nothing.
      const { dials, strictDials, results, crashes, pauses, wipes, cuts, restarts } = totals;
      expect(Math.min(dials, results, crashes) / SEEDS).toBeGreaterThan(3);
      expect(strictDials).toBeGreaterThan(SEEDS);
      expect(Math.min(pauses, wipes, cuts, restarts)).toBeGreaterThan(SEEDS / 10);
    },
    TIMEOUT_MS,
  );
});

const journalOf = async (seed: number) => (await runScenario(drawScenario(seed), { keepsJournal: true })).journal.join('\n');

describe('a seed is a run', () => {
  test.each([3, 8, 21])('seed %i gives the same log byte for byte, alone and beside another run', async seed => {
    const first = await journalOf(seed);
    const [beside, other] = await Promise.all([journalOf(seed), journalOf(seed + 1)]);
    expect(first.split('\n').length).toBeGreaterThan(500);
    expect(beside).toBe(first);
    expect(other).not.toBe(first);
  });
});
