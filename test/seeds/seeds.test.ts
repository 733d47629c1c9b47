import { test } from '@jest/globals';
import { expectHeld } from '../simulation/held-seeds.ts';

/** `npm test` plays the first 60 (test/simulation). */
const SEEDS = { from: 61, to: 1_000 };
const TIMEOUT_MS = 1_200_000;

test(`seeds ${SEEDS.from} to ${SEEDS.to} violate no invariant and come to rest: I1–I9, liveness [A8]`, () => expectHeld(SEEDS), TIMEOUT_MS);
