import { expect, test } from '@jest/globals';
import { configShape } from '#compose/config/shape.ts';

/** Within this dispatch is back after a fault. */
const RECOVERY_MS = 5_000;

// A server that was killed inside a turn kept its campaign from being dialled for 10 s (found by `npm run chaos -- --seed 2`).
test('the lock of a killed server ends before dispatch must be back [A6 step 1]', () => {
  expect(configShape.parse({}).dispatch.lockTtlMs).toBeLessThan(RECOVERY_MS);
});
