import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import { natsLiveDeltas, natsRuntimeLink, natsWake, listenForWakes } from '#adapters/nats/signals.ts';
import { campaignActorStore } from '#adapters/postgres/campaign-actor-store.ts';
import type { Database } from '#adapters/postgres/database.ts';
import { dialStore } from '#adapters/postgres/dial-store.ts';
import { redisActorStore } from '#adapters/redis/actor-store.ts';
import type { RedisLink } from '#adapters/redis/client.ts';
import { redisLiveCallStore } from '#adapters/redis/live-call-store.ts';
import { redisLocks } from '#adapters/redis/locks.ts';
import { redisSlotBook } from '#adapters/redis/slot-book.ts';
import { ActorHost } from '#host/actor-host.ts';
import { runPumps } from '#host/pumps.ts';
import { attemptWriter } from '#operations/calls/attempt-writer.ts';
import { callAggregate, type CallHost, type CallState } from '#operations/calls/call-actor.ts';
import { callEffects } from '#operations/calls/effects.ts';
import { publishCall } from '#operations/calls/publish-call.ts';
import { handleChannelEvent } from '#operations/calls/switch-events.ts';
import { campaignActor, campaignAggregate, type CampaignState } from '#operations/campaigns/campaign-actor.ts';
import { campaignEffects } from '#operations/campaigns/effects.ts';
import { runTurn } from '#operations/dispatch/run-turn.ts';
import { createScheduler } from '#operations/dispatch/scheduler.ts';
import type { DispatchSettings } from '#operations/dispatch/settings.ts';
import { runReconciler } from '#operations/reconciling/run-reconciler.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { Bus } from '#ports/bus.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { SwitchPort } from '#ports/switch.ts';

export interface EngineParts {
  db: Database;
  redis: RedisLink;
  bus: Bus;
  switchPort: SwitchPort;
  campaigns: CampaignStore;
  attempts: AttemptStore;
  events: RuntimeEventStore;
  clock: Clock;
  random: Random;
  ids: IdSource;
  log: Log;
  settings: DispatchSettings;
}

/** Due timers and effects are looked for this often, ms. */
const PUMP_INTERVAL_MS = 250;

export type Engine = ReturnType<typeof createEngine>;

/** Joins host, machines, dispatcher and reconciler over the real stores; `run` keeps them going. */
export function createEngine(parts: EngineParts) {
  const { clock, random, ids, log, settings, switchPort, events } = parts;
  const dials = dialStore(parts.db);
  const slots = redisSlotBook(parts.redis, { leaseMs: settings.reservationLeaseMs });
  const locks = redisLocks(parts.redis, ids);
  const wake = natsWake(parts.bus);
  const deltas = natsLiveDeltas(parts.bus);
  const liveCalls = redisLiveCallStore(parts.redis);
  const writer = attemptWriter(dials, clock);

  const callStore = redisActorStore(parts.redis);
  const effectDeps = { dials, writer, slots, switchPort, runtime: natsRuntimeLink(parts.bus), events, wake, log, host: () => calls };
  const calls: CallHost = new ActorHost<CallState, CallEvent>(
    { store: callStore, clock, random, ids, log },
    {
      aggregate: callAggregate(),
      executors: callEffects(effectDeps),
      committed: (requestId, committed) => publishCall({ deltas, clock }, requestId, committed),
    },
  );
  const campaignStore = campaignActorStore(parts.db);
  const campaignHost = new ActorHost<CampaignState, CampaignEvent>(
    { store: campaignStore, clock, random, ids, log },
    { aggregate: campaignAggregate(), executors: campaignEffects({ dials, slots, events, wake }) },
  );

  const turnDeps = { dials, slots, switchPort, calls, writer, clock, ids, log, settings, locks, campaigns: campaignHost, events };
  const scheduler = createScheduler({ dials, clock, log, turn: campaignId => runTurn(turnDeps, campaignId) });
  const reconcileDeps = { ...turnDeps, attempts: parts.attempts, wake, reservationLeaseMs: settings.reservationLeaseMs };

  /** Dispatches, pumps and reconciles. `dispatching` ends first, so that a drain starts no new call; `working` ends last. */
  async function run(dispatching: AbortSignal, working: AbortSignal): Promise<void> {
    const stopWakes = listenForWakes(parts.bus, campaignId => scheduler.wake(campaignId));
    const stopEvents = switchPort.subscribe(event => {
      if (event.kind === 'cell_up') scheduler.wake(null);
      if (!('requestId' in event)) return;
      handleChannelEvent({ ...turnDeps }, event).catch((error: unknown) =>
        log.warn(
          { err: error, requestId: event.requestId, kind: event.kind },
          'a channel event could not be applied; the reconciler finds what it told',
        ),
      );
    });
    await Promise.all([
      scheduler.run(dispatching),
      runReconciler(reconcileDeps, working),
      runPumps({ store: callStore, clock, log, intervalMs: PUMP_INTERVAL_MS }, calls, working),
      runPumps({ store: campaignStore, clock, log, intervalMs: PUMP_INTERVAL_MS }, campaignHost, working),
    ]);
    stopWakes();
    stopEvents();
    await calls.idle();
    await campaignHost.idle();
  }

  return {
    run,
    calls,
    dials,
    slots,
    locks,
    wake,
    deltas,
    liveCalls,
    writer,
    turnDeps,
    campaignActor: campaignActor({ host: campaignHost, campaigns: parts.campaigns, dials }),
  };
}
