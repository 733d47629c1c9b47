import { expect, test } from '@jest/globals';
import { configShape } from '#platform/config/shape.ts';

/** Time within which dispatch must recover from a fault, ms. */
const RECOVERY_MS = 5_000;

// Regression: a server killed inside a turn blocked its campaign for 10 s (found by `npm run chaos -- --seed 2`).
test('the lock of a killed server expires before dispatch must have recovered [A6 step 1]', () => {
  expect(configShape.parse({}).dispatch.lockTtlMs).toBeLessThan(RECOVERY_MS);
});
