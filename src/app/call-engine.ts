import { natsLiveDeltas, type natsWakes } from '#platform/nats/signals.ts';
import { campaignActorStore } from '#campaigns/campaign-actor-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Freed } from '#policies/holds.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { redisLiveCallStore } from '#calls/live-call-store.ts';
import { redisLocks } from '#platform/redis/locks.ts';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { POOL_GONE_MS } from '#protocol/pool.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { Metrics } from '#platform/metrics.ts';
import { countSettled } from './count-settled.ts';
import { type EnginePorts, joinEngine } from './engine.ts';
import { natsRuntimeLink } from '#runtimes/nats-runtime-link.ts';

/** Connections of the adapters, and ports shared with the engine. */
export interface EngineParts
  extends Pick<
    EnginePorts,
    'switchPort' | 'actors' | 'softphoneCalls' | 'events' | 'clock' | 'random' | 'ids' | 'log' | 'settings' | 'mediaOf' | 'isInConference'
  > {
  db: Database;
  redis: RedisLink;
  bus: Bus;
  wakes: ReturnType<typeof natsWakes>;
  /** Called with the campaigns whose contacts waited for an ended call. */
  freed: Freed;
  metrics: EnginePorts['metrics'] & Pick<Metrics, 'callSettled'>;
}

/** Interval of the pump for due timers and effects, ms. */
const PUMP_INTERVAL_MS = 250;

/** The engine with the production stores. */
export function createEngine(parts: EngineParts) {
  const { db, redis, bus, metrics, wakes, freed, ...shared } = parts;
  const liveCalls = redisLiveCallStore(redis);
  const callStore = redisActorStore(redis);
  const engine = joinEngine({
    ...shared,
    metrics,
    dials: countSettled(dialStore(db, freed), metrics),
    slots: redisSlotRegistry(redis, { leaseMs: parts.settings.reservationLeaseMs }),
    monitors: redisMonitorRegistry(redis),
    locks: redisLocks(redis, parts.ids),
    wake: wakes.wake,
    listenForWakes: wakes.listen,
    deltas: natsLiveDeltas(bus),
    runtime: natsRuntimeLink(bus),
    pool: redisRuntimePool(redis, { goneAfterMs: POOL_GONE_MS }),
    liveCalls,
    callStore,
    campaignStore: campaignActorStore(db),
    pumpIntervalMs: PUMP_INTERVAL_MS,
  });
  return { ...engine, liveCalls, callStore };
}
