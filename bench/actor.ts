import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { callMachine } from '#actors/call/machine.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { callKeys } from '#platform/redis/keys.ts';
import { median, numberOption, type Timed, timed } from '#bench/support/measure.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { callAggregate, type CallActorEvent, type CallState } from '#calls/call-actor.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { PROJECT } from '#tools/commands/project.ts';

const ROUNDS = 7;
const CALLS_PER_ROUND = 500;
const COMMIT_SCRIPT = join(PROJECT, 'src/platform/redis/lua/commit-actor-n.lua');
/** Timers that a step of a call sets. */
const BARE_TIMERS = { 'xstate.after.probeInterval.call.open': 5_000 };

/** A call from the switch's first event to its hang-up. */
const LIFE: readonly CallEvent[] = [
  { type: 'dialAccepted' },
  { type: 'channelCreated' },
  { type: 'channelRinging' },
  { type: 'channelAnswered', at: 1_795_223_409_920 },
  { type: 'runtimeAccepted', runtimeId: 'r1', epoch: 1 },
  {
    type: 'channelHungUp',
    at: 1_795_223_429_920,
    cause: 'NORMAL_CLEARING',
    callStatus: 'answered',
    by: 'customer',
    answeredAt: 1_795_223_409_920,
  },
];

/**
 * Steps of a call's actor (load → decide → commit → no-op effects) against the reads and commits alone: the same Lua in the same number of
 * round trips. `npm run bench -- actor [--rounds N] [--calls N]`
 */
export const bench: Bench = async context => {
  const calls = numberOption(context.args, 'calls', CALLS_PER_ROUND);
  await using stack = new AsyncDisposableStack();
  const sides = { ours: await openOurs(context, stack), bare: await openBare(context, stack) };
  const rounds = { ours: [] as Timed<void>[], bare: [] as Timed<void>[] };
  // The first round is a warm-up for both.
  for (let round = 0; round <= numberOption(context.args, 'rounds', ROUNDS); round += 1) {
    for (const side of ['ours', 'bare'] as const) {
      const took = await timed(() => everyCall(calls, sides[side]));
      if (round > 0) rounds[side].push(took);
    }
  }
  const steps = calls * (LIFE.length + 1);
  const perSecond = (side: keyof typeof rounds) => (steps * 1_000) / median(rounds[side].map(({ ms }) => ms));
  const cpuUs = (side: keyof typeof rounds) => (median(rounds[side].map(({ cpuMs }) => cpuMs)) * 1_000) / steps;
  return {
    bench: 'actor',
    ratios: [
      { what: 'steps per second / of reads and commits alone', ratio: perSecond('ours') / perSecond('bare'), bar: { atLeast: 0.4 } },
    ],
    figures: [
      { what: 'steps', value: perSecond('ours'), unit: '/s' },
      { what: 'reads and commits alone', value: perSecond('bare'), unit: '/s' },
      { what: 'CPU of this process per step', value: cpuUs('ours'), unit: 'µs' },
      { what: 'CPU of this process per read and commit alone', value: cpuUs('bare'), unit: 'µs' },
    ],
  };
};

interface Side {
  live(id: string): Promise<void>;
  /** Resolves when the requested effects are done. */
  idle(): Promise<void>;
}

async function everyCall(calls: number, side: Side): Promise<void> {
  await Promise.all(Array.from({ length: calls }, () => side.live(randomUUID())));
  await side.idle();
}

async function openOurs({ redisUrl }: BenchContext, stack: AsyncDisposableStack): Promise<Side> {
  const redis = await connectRedis({ url: redisUrl, connectTimeoutMs: 2_000, commandTimeoutMs: 60_000 });
  stack.defer(() => redis.close());
  const deps = { store: redisActorStore(redis), clock: systemClock, random: seededRandom(1), ids: randomUUID, log: silentLog };
  const executors = new Proxy({}, { get: () => () => Promise.resolve() });
  const host = new ActorHost<CallState, CallActorEvent>(deps, { aggregate: callAggregate(), executors });
  return {
    async live(id) {
      await host.create(id, firstDecision(callMachine), '{}', randomUUID());
      for (const event of LIFE) await host.send(id, event, randomUUID());
    },
    idle: () => host.idle(),
  };
}

async function openBare({ redisUrl }: BenchContext, stack: AsyncDisposableStack): Promise<Side> {
  const redis = new Redis(redisUrl);
  stack.defer(() => redis.disconnect());
  const sha = String(await redis.script('LOAD', readFileSync(COMMIT_SCRIPT, 'utf8')));
  const snapshot = callAggregate().serialize(firstDecision(callMachine).state as CallState);
  return {
    async live(id) {
      const { actor, due, outboxOrder, outboxBodies, live } = callKeys(id);
      const body = JSON.stringify({ id, snapshot, timers: BARE_TIMERS, effects: [], effectLeaseMs: 5_000 });
      for (let version = 0; version <= LIFE.length; version += 1) {
        if (version > 0) await redis.hmget(actor, 'version', 'snapshot', 'commands', 'meta', 'born');
        await redis.evalsha(sha, 5, actor, due, outboxOrder, outboxBodies, live, version, randomUUID(), body);
      }
    },
    idle: () => Promise.resolve(),
  };
}
