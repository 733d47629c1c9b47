import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { createRuntimeWatch, type RuntimeWatchDeps } from '#operations/runtimes/watch-runtimes.ts';
import { manualClock } from '#test/support/manual-clock.ts';

test('runtimes are asked to say that they are there when the bus is heard again and when the cache has forgotten some, not otherwise', async () => {
  const clock = manualClock();
  let size = 0;
  let isReachable = true;
  let rollCalls = 0;
  const stop = new AbortController();
  const watch = createRuntimeWatch({
    runtime: { isReachable: () => isReachable, callRoll: () => (rollCalls += 1), listens: async () => null },
    pool: { size: async () => size, lost: async () => [] },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimeWatchDeps);
  const running = watch.run(stop.signal);
  const callsAfter = async (seconds: number) => {
    const before = rollCalls;
    await clock.pass(seconds * 1_000);
    return rollCalls - before;
  };
  await clock.pass(5_000);
  expect(rollCalls).toBe(1);
  size = 3;
  expect(await callsAfter(5)).toBe(0);
  size = 1;
  expect(await callsAfter(1)).toBe(1);
  size = 3;
  expect(await callsAfter(5)).toBe(0);
  size = 0;
  expect(await callsAfter(5)).toBe(1);
  isReachable = false;
  expect(await callsAfter(5)).toBe(0);
  isReachable = true;
  expect(await callsAfter(5)).toBe(1);
  stop.abort();
  await running;
});

test('who takes calls without having registered is told of once, and not while a runtime of the queue group is about to register', async () => {
  const clock = manualClock();
  let listens: boolean | null = true;
  const told: string[] = [];
  const stop = new AbortController();
  const watch = createRuntimeWatch({
    runtime: { isReachable: () => true, callRoll: () => undefined, listens: async () => listens },
    pool: { size: async () => 0, lost: async () => [] },
    events: { record: async ({ type }: { type: string }) => void told.push(type) },
    wake: { campaign: () => undefined },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimeWatchDeps);
  const running = watch.run(stop.signal);
  await clock.pass(3_000);
  expect(watch.hasUnregistered()).toBe(true);
  // It has registered and left the group.
  listens = false;
  await clock.pass(20_000);
  expect(told).toEqual([]);
  listens = true;
  await clock.pass(20_000);
  expect(told).toHaveLength(1);
  listens = null;
  await clock.pass(4_000);
  listens = true;
  await clock.pass(20_000);
  expect(told).toHaveLength(1);
  stop.abort();
  await running;
});
