import { callJournals } from '#calls/call-journals.ts';
import { redisLiveCallStore } from '#calls/live-call-store.ts';
import { campaignActorStore } from '#campaigns/campaign-actor-store.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import type { DialStore } from '#dialling/dial-store.ts';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Bus } from '#platform/nats/bus.ts';
import { sharedDeltas } from '#platform/feeds/live-deltas.ts';
import { natsLiveDeltas, type natsWakes } from '#platform/nats/signals.ts';
import type { Database } from '#platform/postgres/database.ts';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { redisLocks } from '#platform/redis/locks.ts';
import type { Freed } from '#policies/holds.ts';
import { POOL_GONE_MS } from '#protocol/pool.ts';
import { natsRuntimeLink } from '#runtimes/nats-runtime-link.ts';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { type EnginePorts, joinEngine } from './engine.ts';

/**
 * Wraps the dial store to count ended calls by their call status.
 *
 * Why: a call ends by a result or by the engine's own settlement, and both go through this store. A call of unknown outcome has no call status
 *      yet; it is counted when its result arrives
 */
export function countSettled(dials: DialStore, metrics: Pick<Metrics, 'callSettled'>): DialStore {
  return {
    ...dials,
    async applyResult(report) {
      const outcome = await dials.applyResult(report);
      // Only the first result of a call creates an outbox row.
      if (outcome.kind === 'applied' && outcome.outboxId !== null) metrics.callSettled(report.callStatus ?? outcome.status);
      return outcome;
    },
    async settle(batch) {
      const outcomes = await dials.settle(batch);
      const settled = new Set(outcomes.filter(outcome => outcome.settled).map(outcome => outcome.requestId));
      for (const { requestId, status, callStatus } of batch) {
        if (settled.has(requestId)) metrics.callSettled(callStatus ?? (status === 'outcome_unknown' ? 'unknown' : status));
      }
      return outcomes;
    },
  };
}

/** Connections of the adapters, and ports shared with the engine. */
interface EngineParts
  extends Pick<
    EnginePorts,
    | 'switchPort'
    | 'actors'
    | 'softphoneCalls'
    | 'events'
    | 'preDial'
    | 'clock'
    | 'random'
    | 'ids'
    | 'log'
    | 'settings'
    | 'mediaOf'
    | 'isInConference'
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
  const journals = callJournals(db, shared.clock);
  const engine = joinEngine({
    ...shared,
    metrics,
    dials: countSettled(dialStore(db, freed), metrics),
    slots: redisSlotRegistry(redis, { leaseMs: parts.settings.reservationLeaseMs }),
    monitors: redisMonitorRegistry(redis),
    locks: redisLocks(redis, parts.ids),
    wake: wakes.wake,
    listenForWakes: wakes.listen,
    deltas: sharedDeltas(natsLiveDeltas(bus)),
    runtime: natsRuntimeLink(bus, shared.clock),
    pool: redisRuntimePool(redis, { goneAfterMs: POOL_GONE_MS }),
    liveCalls,
    callStore,
    journals,
    campaignStore: campaignActorStore(db),
    pumpIntervalMs: PUMP_INTERVAL_MS,
  });
  return { run: engine.run, parts: { ...engine.turnApp, liveCalls, callStore, journals } };
}
