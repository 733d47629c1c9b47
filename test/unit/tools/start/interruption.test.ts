import { afterEach, expect, test } from '@jest/globals';
import { listenForInterruption } from '#tools/start/interruption.ts';
import type { Clock } from '#kernel/clock.ts';

let now = 0;
const clock: Clock = { now: () => now, monotonic: () => now, schedule: () => () => undefined };

afterEach(() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
});

async function isForced(interruption: ReturnType<typeof listenForInterruption>): Promise<boolean> {
  return Promise.race([interruption.forced.then(() => true), Promise.resolve(false)]);
}

test('a Ctrl-C repeated by npm counts once; a later one forces the end', async () => {
  const interruption = listenForInterruption(clock);
  expect(interruption.isAsked()).toBe(false);
  process.emit('SIGINT');
  now += 40;
  process.emit('SIGINT');
  await interruption.asked;
  expect(await isForced(interruption)).toBe(false);
  now += 1_500;
  process.emit('SIGINT');
  await interruption.forced;
});
