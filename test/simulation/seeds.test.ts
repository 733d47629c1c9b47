import { describe, expect, test } from '@jest/globals';
import { expectHeld } from './held-seeds.ts';
import { runScenario } from './run-scenario.ts';
import { drawScenario } from './scenario.ts';

/** `npm run test:release` plays more seeds (test/seeds). */
const SEEDS = 60;
const TIMEOUT_MS = 400_000;

describe('the dispatcher under a seeded scheduler of faults [A8]', () => {
  test(`${SEEDS} seeds break no invariant and come to rest: I1–I14, liveness`, () => expectHeld({ from: 1, to: SEEDS }), TIMEOUT_MS);
});

const journalOf = async (seed: number) => (await runScenario(drawScenario(seed), { keepsJournal: true })).journal.join('\n');

describe('a seed determines a run', () => {
  test.each([3, 8, 21])('seed %i gives the same log byte for byte, alone and beside another run', async seed => {
    const first = await journalOf(seed);
    const [beside, other] = await Promise.all([journalOf(seed), journalOf(seed + 1)]);
    expect(first.split('\n').length).toBeGreaterThan(500);
    expect(beside).toBe(first);
    expect(other).not.toBe(first);
  });
});
