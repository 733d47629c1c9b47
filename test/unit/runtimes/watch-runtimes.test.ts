import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { createRuntimeWatch } from '#runtimes/watch-runtimes.ts';
import { unheardRuntime, type RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { poolMember } from '#test/support/pool-members.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';
import type { Platform } from '#platform/platform.ts';

test('a roll call goes out when the bus reconnects and when the cache lost runtimes, and not otherwise', async () => {
  const clock = manualClock();
  let size = 0;
  let isReachable = true;
  let rollCalls = 0;
  const stop = new AbortController();
  const watch = createRuntimeWatch({
    runtime: { reachableSince: () => (isReachable ? 0 : null), requestHeartbeats: () => (rollCalls += 1), listens: async () => null },
    pool: { list: async () => [], size: async () => size, lost: async () => [] },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimePart &
    RuntimePoolPart &
    RuntimeEventsPart &
    RuntimeSettingsPart &
    Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>);
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

test('unregistered runtimes raise one event, but not while a runtime of the queue group is about to register', async () => {
  const clock = manualClock();
  let listens: boolean | null = true;
  const told: string[] = [];
  const stop = new AbortController();
  const watch = createRuntimeWatch({
    runtime: { reachableSince: () => 0, requestHeartbeats: () => undefined, listens: async () => listens },
    pool: { list: async () => [], size: async () => 0, lost: async () => [] },
    events: { record: async ({ type }: { type: string }) => void told.push(type) },
    wake: { campaign: () => undefined },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimePart &
    RuntimePoolPart &
    RuntimeEventsPart &
    RuntimeSettingsPart &
    Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>);
  const running = watch.run(stop.signal);
  await clock.pass(3_000);
  expect(watch.hasUnregistered()).toBe(true);
  // It has registered and left the queue group.
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

test.each([
  ['announced its end and left no call', { isDraining: true, calls: 0 }, 'info 话术引擎 a 已退出'],
  [
    'announced its end and left a call, which others take or which reports its own outcome',
    { isDraining: true, calls: 1 },
    'info 话术引擎 a 已退出',
  ],
  ['did not announce it', { isDraining: false, calls: 0 }, 'error 话术引擎 a 已失联'],
  ['is known only by its calls', { ...unheardRuntime('a'), calls: 1 }, 'error 话术引擎 a 已失联'],
  ['left before this server listened, and left no call', { ageMs: 60_000 }, 'info 话术引擎 a 已退出'],
  ['left before this server listened, and left a call', { ageMs: 60_000, calls: 1 }, 'error 话术引擎 a 已失联'],
])('the loss of a runtime that %s', async (_how, gone, expected) => {
  const clock = manualClock();
  const told: string[] = [];
  const stop = new AbortController();
  const lost = { ...poolMember({ runtimeId: 'a', name: 'a' }), seenAt: 0, ageMs: 0, isGone: true, calls: 0, requestIds: [], ...gone };
  const rounds = [[lost]];
  const watch = createRuntimeWatch({
    runtime: { reachableSince: () => 0, requestHeartbeats: () => undefined, listens: async () => null },
    pool: { list: async () => [], size: async () => 1, lost: async () => rounds.pop() ?? [] },
    events: { record: async ({ level, title }: { level: string; title: string }) => void told.push(`${level} ${title}`) },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimePart &
    RuntimePoolPart &
    RuntimeEventsPart &
    RuntimeSettingsPart &
    Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>);
  const running = watch.run(stop.signal);
  await clock.pass(10_000);
  expect(told).toEqual([expected]);
  stop.abort();
  await running;
});

test('a runtime with a late heartbeat and no subscription is lost at once; one that subscribes keeps its full time [I9]', async () => {
  const clock = manualClock();
  const stop = new AbortController();
  const gone: string[] = [];
  const late = { ...poolMember({ runtimeId: 'dead' }), seenAt: 0, ageMs: 6_500, isGone: false, aside: null, calls: 1 };
  const there = [
    late,
    { ...late, runtimeId: 'stopped' },
    { ...late, runtimeId: 'timely', ageMs: 5_500 },
    { ...late, runtimeId: 'idle', calls: 0 },
  ];
  const watch = createRuntimeWatch({
    runtime: {
      reachableSince: () => 0,
      requestHeartbeats: () => undefined,
      listens: async () => null,
      probe: async (runtimeId: string) => (runtimeId === 'stopped' ? 'silent' : 'absent'),
    },
    pool: {
      list: async () => there,
      size: async () => 4,
      lost: async () => [],
      bye: async (runtimeId: string) => void gone.push(runtimeId),
    },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimePart &
    RuntimePoolPart &
    RuntimeEventsPart &
    RuntimeSettingsPart &
    Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>);
  const running = watch.run(stop.signal);
  await clock.pass(10);
  expect(gone).toEqual(['dead']);
  stop.abort();
  await running;
});

test('a runtime that ignored starts is probed again, and returns with its first reply [I9]', async () => {
  const clock = manualClock();
  const stop = new AbortController();
  const facts: unknown[] = [];
  const aside = { ...poolMember({ runtimeId: 'deaf' }), seenAt: 0, ageMs: 0, isGone: false, aside: 'unanswered', calls: 0 };
  let answer = 'silent';
  const watch = createRuntimeWatch({
    runtime: { reachableSince: () => 0, requestHeartbeats: () => undefined, listens: async () => null, probe: async () => answer },
    pool: { list: async () => [aside], size: async () => 1, lost: async () => [], note: async (fact: unknown) => void facts.push(fact) },
    wake: { campaign: () => undefined },
    clock,
    log: silentLog,
    settings: { runtime: 'nats' },
  } as unknown as RuntimePart &
    RuntimePoolPart &
    RuntimeEventsPart &
    RuntimeSettingsPart &
    Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>);
  const running = watch.run(stop.signal);
  await clock.pass(4_000);
  expect(facts).toEqual([]);
  answer = 'answers';
  await clock.pass(2_000);
  expect(facts[0]).toEqual({ kind: 'answered', runtimeId: 'deaf' });
  stop.abort();
  await running;
});
