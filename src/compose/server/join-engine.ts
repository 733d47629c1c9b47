import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import { ActorHost } from '#host/actor-host.ts';
import type { ActorRouter } from '#host/actor-router.ts';
import { runPumps } from '#host/pumps.ts';
import { attemptWriter } from '#operations/calls/attempt-writer.ts';
import { type CallHost } from '#operations/calls/call-actor.ts';
import { callAggregate, type CallActorEvent, type CallState } from '#operations/calls/call-aggregate.ts';
import { campaignReceiver, settledCalls } from '#operations/calls/settled-calls.ts';
import { callEffects } from '#operations/calls/effects.ts';
import { publishCall } from '#operations/calls/publish-call.ts';
import { handleChannelEvent } from '#operations/calls/switch-events.ts';
import { campaignAggregate, type CampaignHost } from '#operations/campaigns/campaign-actor.ts';
import { campaignEffects } from '#operations/campaigns/effects.ts';
import { dialNotes } from '#dialling/breaker/note-dials.ts';
import { createDialGate } from '#dialling/dial-gate.ts';
import { runTurn } from '#dialling/run-turn.ts';
import { createScheduler } from '#dialling/scheduler.ts';
import type { DispatchSettings } from '#dialling/settings.ts';
import { createWithdrawals } from '#dialling/withdrawals.ts';
import { createRuntimeWatch } from '#operations/runtimes/watch-runtimes.ts';
import { interventionEffects } from '#operations/interventions/effects.ts';
import { watchEffects } from '#operations/monitoring/effects.ts';
import { runMonitoring } from '#operations/monitoring/run-monitoring.ts';
import { runReconciler } from '#dialling/reconcile/run-reconciler.ts';
import { releaseOrphans } from '#dialling/reconcile/release-orphans.ts';
import { sweepCell } from '#dialling/reconcile/sweep-channels.ts';
import type { ActorStore } from '#ports/actor-store.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { BreakerStore } from '#ports/breaker-store.ts';
import type { DialStore } from '#ports/dial-store.ts';
import type { MonitorRegistry } from '#ports/monitor-registry.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { LiveDeltas } from '#ports/live-deltas.ts';
import type { Locks } from '#ports/lock.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { LiveCallStore } from '#ports/live-call-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { RuntimeLink } from '#ports/runtime-link.ts';
import type { RuntimePool } from '#ports/runtime-pool.ts';
import type { SoftphoneStore } from '#ports/softphone-store.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { Wake } from '#ports/wake.ts';

/** All that the engine reaches of the world: adapters in production, stores in memory in the simulation. */
export interface EnginePorts {
  dials: DialStore;
  slots: SlotRegistry;
  breakers: BreakerStore;
  monitors: MonitorRegistry;
  locks: Locks;
  wake: Wake;
  /** Hands on the wakes of every instance; null: all running campaigns. The returned function stops it. */
  listenForWakes(listener: (campaignId: number | null) => void): () => void;
  deltas: LiveDeltas;
  runtime: RuntimeLink;
  pool: RuntimePool;
  liveCalls: Pick<LiveCallStore, 'read'>;
  /** How a runtime reaches the customers of a cell. */
  mediaOf: (cellId: string) => JsonObject;
  callStore: ActorStore;
  campaignStore: ActorStore;
  switchPort: SwitchPort;
  actors: ActorRouter;
  attempts: Pick<AttemptStore, 'foldTallies'>;
  softphoneCalls: Pick<SoftphoneStore, 'findOpen' | 'listHolding'>;
  events: RuntimeEventStore;
  clock: Clock;
  random: Random;
  ids: IdSource;
  log: Log;
  settings: DispatchSettings;
  metrics: Pick<Metrics, 'callServed' | 'callUnserved' | 'runtimeOffered'>;
  /** Due timers and effects are looked for this often, ms. */
  pumpIntervalMs: number;
}

/**
 * Joins host, machines, dispatcher and reconciler over ports; `run` keeps them going.
 *
 * Why: production and simulation join the very same pieces
 */
export function joinEngine(ports: EnginePorts) {
  const { clock, random, ids, log, settings, switchPort, events, dials, slots, breakers, locks, wake, deltas, monitors, actors } = ports;
  const writer = attemptWriter(dials, clock);
  const campaignHost: CampaignHost = new ActorHost(
    { store: ports.campaignStore, clock, random, ids, log },
    { aggregate: campaignAggregate(), executors: campaignEffects({ dials, slots, events, wake }) },
  );
  const notes = dialNotes({ breakers, actors, clock, log, settings: settings.breaker });

  const settled = settledCalls({ actors, clock });

  const { runtime, pool, liveCalls, mediaOf, metrics } = ports;
  const offerDeps = { runtime, pool, liveCalls, mediaOf };
  const effectDeps = { ...offerDeps, dials, writer, slots, switchPort, events, notes, settled, clock, log, metrics, host: () => calls };
  const watchDeps = { monitors, runtime, actors, events, wake, clock, log };
  const calls: CallHost = new ActorHost<CallState, CallActorEvent>(
    { store: ports.callStore, clock, random, ids, log },
    {
      aggregate: callAggregate(),
      executors: { ...callEffects(effectDeps), ...watchEffects(watchDeps), ...interventionEffects(watchDeps) },
      committed: (requestId, committed) => publishCall({ deltas, clock }, requestId, committed),
    },
  );
  actors.register('call', calls);
  actors.register('campaign', campaignReceiver({ campaigns: campaignHost, wake }));

  const runtimes = createRuntimeWatch({ runtime, pool, actors, events, wake, clock, log, settings });
  const gate = createDialGate(ports);
  const withdrawals = createWithdrawals({ dials, slots, clock, log });
  const dialDeps = { gate, withdrawals };
  const turnDeps = {
    ...dialDeps,
    dials,
    slots,
    switchPort,
    calls,
    writer,
    clock,
    ids,
    log,
    settings,
    locks,
    campaigns: campaignHost,
    events,
    wake,
    breakers,
    notes,
    runtimes,
  };
  const scheduler = createScheduler({ dials, clock, log, turn: campaignId => runTurn(turnDeps, campaignId) });
  const reconcileDeps = {
    ...turnDeps,
    attempts: ports.attempts,
    pool,
    softphoneCalls: ports.softphoneCalls,
    wake,
    reservationLeaseMs: settings.reservationLeaseMs,
  };

  /** Dispatches, pumps and reconciles. `dispatching` ends first, so that a drain starts no new call; `working` ends last. */
  async function run(dispatching: AbortSignal, working: AbortSignal): Promise<void> {
    if (dispatching.aborted) gate.stop();
    else dispatching.addEventListener('abort', () => gate.stop(), { once: true });
    const stopWakes = ports.listenForWakes(campaignId => scheduler.wake(campaignId));
    // Its calls first; then the slots that were kept for whatever it may have had.
    const lookAt = async (cell: { cellId: string; at: number }) => {
      await sweepCell(reconcileDeps, cell);
      await releaseOrphans(reconcileDeps);
    };
    const reached = (cell: { cellId: string; at: number }) =>
      void lookAt(cell).catch((error: unknown) =>
        log.warn({ err: error, cellId: cell.cellId }, 'calls of a cell that is back could not be looked at; the reconciler does it'),
      );
    const stopEvents = switchPort.subscribe(event => {
      if (event.kind === 'cell_up') {
        scheduler.wake(null);
        reached(event);
      }
      if (!('requestId' in event)) return;
      handleChannelEvent({ ...turnDeps }, event).catch((error: unknown) =>
        log.warn(
          { err: error, requestId: event.requestId, kind: event.kind },
          'a channel event could not be applied; the reconciler finds what it told',
        ),
      );
    });
    for (const { cellId, state, since } of switchPort.cells()) if (state === 'up') reached({ cellId, at: since });
    await Promise.all([
      scheduler.run(dispatching),
      withdrawals.run(working),
      runtimes.run(working),
      runReconciler(reconcileDeps, working),
      runMonitoring(watchDeps, working),
      runPumps({ store: ports.callStore, clock, log, intervalMs: ports.pumpIntervalMs }, calls, working),
      runPumps({ store: ports.campaignStore, clock, log, intervalMs: ports.pumpIntervalMs }, campaignHost, working),
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
    actors,
    monitors,
    pool,
    runtimes,
    deltas,
    writer,
    turnDeps,
    campaignHost,
  };
}
