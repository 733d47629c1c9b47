import { only } from '#test/support/only.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { MONITOR_PREFIX } from '#platform/redis/keys.ts';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { type CallActorEvent, callAggregate, type CallHost, type CallMeta, type CallState, openCall } from '#calls/call-actor.ts';
import { interventionEffects } from '#interventions/effects.ts';
import { placeCalls, watchEffects } from '#monitoring/allocation.ts';
import type { MonitorBeat, MonitorStep } from '#monitoring/monitor-registry.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import type { MonitoringMode } from '#campaigns/campaign.ts';
import { localRouter } from '#test/support/actor-carriers.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';
import type { EffectExecutor } from '#platform/actor-host/aggregate.ts';
import type { RuntimeLink } from '#runtimes/runtime-link.ts';

const WAITS = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 };
const LONG_MS = 600_000;

/** Timeout of a command, in ms: a slow machine is not a fault of the registry. */
const PATIENCE_MS = 20_000;

export type Instance = ReturnType<typeof monitoringInstance>;

/** Redis of a test file, emptied before each test, with two instances that share nothing else. */
export function monitoringRig(): { redis: RedisLink; one: Instance; other: Instance } {
  const rig = {} as ReturnType<typeof monitoringRig>;
  let fresh: FreshRedis;
  beforeAll(async () => {
    fresh = await freshRedis();
    rig.redis = await connectRedis({ url: fresh.url, connectTimeoutMs: PATIENCE_MS, commandTimeoutMs: PATIENCE_MS });
  });
  afterAll(async () => {
    await rig.redis.close();
    await fresh.release();
  });
  beforeEach(async () => {
    await rig.redis.run(client => client.flushdb());
    rig.one = monitoringInstance(rig.redis);
    rig.other = monitoringInstance(rig.redis);
  });
  return rig;
}

export const HUNG_UP = {
  type: 'channelHungUp',
  at: 9,
  cause: 'NORMAL_CLEARING',
  callStatus: 'completed',
  by: null,
  answeredAt: 1,
} as const;

/** A page's heartbeat; by default a registered agent with capacity, showing all campaigns, for longer than a test takes. */
export function presence(userId: number, request: Partial<MonitorBeat> = {}): MonitorBeat {
  const standing = { agentId: userId, cellId: 'cell-1', capacity: 5, campaignId: null, tabId: 'tab', ttlMs: LONG_MS };
  return { userId, displayName: `坐席${userId}`, ...standing, ...request };
}

/** The parts of an instance for calls, interventions and monitors, on a shared Redis. `versions` receives every commit. */
export function monitoringInstance(redis: RedisLink, versions: (requestId: string, version: number) => void = () => undefined) {
  const monitors = redisMonitorRegistry(redis);
  const signals: { requestId: string; name: string }[] = [];
  const events: string[] = [];
  const runtime = only<RuntimeLink>({
    reachableSince: () => 0,
    command: async (requestId: string, name: string) => {
      signals.push({ requestId, name });
    },
  });
  const eventStore = {
    record: async ({ type }: { type: string }) => {
      events.push(type);
      return {} as RuntimeEvent;
    },
  };
  const actors = localRouter();
  const deps = {
    monitors,
    runtime,
    actors,
    clock: systemClock,
    events: eventStore as never,
    wake: { campaign: () => undefined },
    log: silentLog,
  };
  const quiet = Object.fromEntries(QUIET.map(name => [name, () => Promise.resolve()])) as Record<string, EffectExecutor<CallState>>;
  const host: CallHost = new ActorHost<CallState, CallActorEvent>(
    { store: redisActorStore(redis), clock: systemClock, random: seededRandom(1), ids: systemIds, log: silentLog },
    {
      aggregate: callAggregate(),
      executors: { ...quiet, ...watchEffects(deps), ...interventionEffects(deps) },
      committed: (id, { version }) => versions(id, version),
    },
  );
  actors.register('call', host);
  const placed = (step: MonitorStep) => placeCalls(deps, step);
  return {
    host,
    monitors,
    signals,
    events,
    placed,
    /** A call that a customer has just answered. */
    async answer(request: CallRequest = {}): Promise<string> {
      const requestId = randomUUID();
      await openCall(host, metaOf(requestId, request), WAITS);
      await host.send(requestId, { type: 'channelAnswered', at: 1_000 }, 'answered');
      await host.idle();
      return requestId;
    },
    send: (requestId: string, event: CallActorEvent) => host.send(requestId, event, systemIds()),
    beat: async (userId: number, request: Partial<MonitorBeat> = {}) => placed(await monitors.beat(presence(userId, request))),
    leave: async (userId: number) => placed(await monitors.leave(userId)),
    tick: async () => placed(await monitors.tick(200)),
  };
}

/** Nothing is dialled in these tests. */
const QUIET = [
  'probeSwitch',
  'recordAnswered',
  'startRuntime',
  'notifyHangup',
  'settleAttempt',
  'revertClaim',
  'releaseSlot',
  'killChannel',
  'forgetCall',
];

export interface CallRequest {
  campaignId?: number;
  cellId?: string;
  priority?: number;
  mode?: MonitoringMode;
}

export function metaOf(requestId: string, { campaignId = 1, cellId = 'cell-1', priority = 0, mode = 'elastic' }: CallRequest): CallMeta {
  return {
    requestId,
    attemptId: 1,
    batchId: null,
    campaignId,
    campaignName: '活动',
    businessCode: 'retail',
    contactId: 1,
    phoneNumber: '13900000001',
    customerName: '',
    cellId,
    scriptId: null,
    scriptVersion: null,
    businessConfig: { monitoringMode: mode, monitoringPriority: priority },
    metadata: {},
    lineId: 1,
    callerNumber: null,
    startedAt: 0,
  };
}

/** Expires the presence without waiting. */
export async function endPresence(redis: RedisLink, userId: number): Promise<void> {
  await redis.run(client => client.zadd(`${MONITOR_PREFIX}presence`, 'XX', 1, String(userId)));
}

export interface RegistryPicture {
  /** User → capacity, for live presences. */
  alive: Map<number, number>;
  /** User → their calls. */
  assigned: Map<number, string[]>;
  retained: Map<number, string[]>;
  pinned: Set<string>;
  focus: Map<number, string>;
  waiting: string[];
}

/** Content of the registry, read independently of the program. */
export async function readRegistry(redis: RedisLink): Promise<RegistryPicture> {
  return redis.run(async client => {
    const idsOf = async (kind: string) =>
      (await client.keys(`${MONITOR_PREFIX}${kind}:*`)).map(key => key.slice(`${MONITOR_PREFIX}${kind}:`.length));
    const registry: RegistryPicture = {
      alive: new Map(),
      assigned: new Map(),
      retained: new Map(),
      pinned: new Set(),
      focus: new Map(),
      waiting: await client.zrange(`${MONITOR_PREFIX}waiting`, 0, '-1'),
    };
    for (const user of await client.zrange(`${MONITOR_PREFIX}presence`, 0, '-1'))
      registry.alive.set(Number(user), Number(await client.hget(`${MONITOR_PREFIX}user:${user}`, 'cap')));
    for (const user of await idsOf('has'))
      registry.assigned.set(Number(user), await client.zrange(`${MONITOR_PREFIX}has:${user}`, 0, '-1'));
    for (const user of await idsOf('keeps')) registry.retained.set(Number(user), await client.smembers(`${MONITOR_PREFIX}keeps:${user}`));
    for (const user of await idsOf('user')) {
      const focus = await client.hget(`${MONITOR_PREFIX}user:${user}`, 'focus');
      if (focus !== null) registry.focus.set(Number(user), focus);
    }
    for (const call of await idsOf('call'))
      if ((await client.hget(`${MONITOR_PREFIX}call:${call}`, 'pinned')) === '1') registry.pinned.add(call);
    return registry;
  });
}
