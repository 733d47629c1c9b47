import { expect, test } from '@jest/globals';
import { watchFreshness } from '#runtimes/bus.ts';
import { manualClock } from '#test/support/manual-clock.ts';

test('messages read right after a process resumes from a pause count as stale; a second later they are fresh', async () => {
  const clock = manualClock();
  let stoodMs = 0;
  const freshness = watchFreshness({
    monotonic: () => clock.monotonic() + stoodMs,
    schedule: (delayMs, task) => clock.schedule(delayMs, task),
  });
  expect(freshness.isFresh()).toBe(true);
  await clock.pass(10_000);
  expect(freshness.isFresh()).toBe(true);
  stoodMs = 45_000;
  expect(freshness.isFresh()).toBe(false);
  await clock.pass(500);
  expect(freshness.isFresh()).toBe(false);
  await clock.pass(1_000);
  expect(freshness.isFresh()).toBe(true);
  freshness.stop();
  expect(clock.pending()).toBe(0);
});
