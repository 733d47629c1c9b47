import { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { ActorRouter } from '#platform/actor-host/actor-router.ts';
import { runPumps } from '#platform/actor-host/pumps.ts';
import { attemptWriter } from '#outcomes/progress.ts';
import { type CallActorEvent, callAggregate, type CallHost, callJournal, type CallState } from '#calls/call-actor.ts';
import type { CallJournalsPart } from '#calls/call-journals.ts';
import { campaignReceiver, dialNotes, gatheredSettlements, handleChannelEvent } from '#calls/switch-events.ts';
import { type CallEffectOptions, callEffects } from '#calls/effects.ts';
import { hurriesNobody } from '#actors/call/events.ts';
import type { CallEffects } from '#actors/call/effects.ts';
import type { TakeOverEffects } from '#actors/intervention/effects.ts';
import { publishCall } from '#calls/publish-call.ts';
import { campaignAggregate, campaignEffects, type CampaignHost } from '#campaigns/campaign-actor.ts';
import { createDialBacklog, createDialGate } from '#dialling/send.ts';
import { leftOutVariables } from '#dialling/call-variables.ts';
import { runTurn } from '#dialling/turn.ts';
import { createScheduler } from '#dialling/scheduler.ts';
import type { DispatchSettings } from '#dialling/settings.ts';
import { createWithdrawals } from '#dialling/claim.ts';
import { createRuntimeWatch } from '#runtimes/watch-runtimes.ts';
import { interventionEffects } from '#interventions/effects.ts';
import { runMonitoring, watchEffects } from '#monitoring/allocation.ts';
import { runReconciler } from '#dialling/reconciler.ts';
import { releaseOrphans, sweepCell } from '#dialling/sweep.ts';
import type { ActorStore, JournalReader } from '#platform/actor-host/actor-store.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { MonitorsPart } from '#monitoring/monitor-registry.ts';
import type { DeltasPart } from '#platform/feeds/live-deltas.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { LiveCallStore } from '#calls/live-call-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { SoftphoneStore } from '#agent-calls/agent-call.ts';
import type { DialsPart } from '#dialling/dial-store.ts';
import type { PreDialPart } from '#pre-dial/pre-dial.ts';

/** All external dependencies of the engine. */
export interface EnginePorts
  extends DialsPart,
    SlotsPart,
    MonitorsPart,
    DeltasPart,
    RuntimePart,
    RuntimePoolPart,
    RuntimeEventsPart,
    PreDialPart,
    CallJournalsPart,
    Pick<Platform, 'locks' | 'wake' | 'switchPort' | 'clock' | 'random' | 'ids' | 'log'> {
  /** Calls `listener` for the wake-ups of every instance; null: all running campaigns. The returned function unsubscribes. */
  listenForWakes(listener: (campaignId: number | null) => void): () => void;
  liveCalls: Pick<LiveCallStore, 'read'>;
  /** Whether the customer of the call is in a conference, or agents are being called for it. */
  isInConference: (requestId: string) => Promise<boolean>;
  /** How a runtime reaches the media of a cell. */
  mediaOf: (cellId: string) => JsonObject;
  callStore: ActorStore & JournalReader;
  campaignStore: ActorStore;
  actors: ActorRouter;
  softphoneCalls: Pick<SoftphoneStore, 'findOpen' | 'listHolding'>;
  settings: DispatchSettings;
  metrics: Pick<Metrics, 'callServed' | 'callUnserved' | 'runtimeOffered'>;
  /** Interval of the pump for due timers and effects. */
  pumpIntervalMs: number;
}

/**
 * Connects actor hosts, machines, dispatcher and reconciler to the ports; `run` runs them.
 *
 * Why: production and simulation use the same composition
 */
export function joinEngine(ports: EnginePorts) {
  const { switchPort, dials, slots, locks, wake, deltas, monitors, actors, pool, log, settings } = ports;
  const writer = attemptWriter(dials, ports.clock);
  const notes = dialNotes(ports);
  const campaignHost: CampaignHost = new ActorHost(
    { ...ports, store: ports.campaignStore },
    { aggregate: campaignAggregate(), executors: campaignEffects(ports) },
  );
  const calls = hostCalls({ ...ports, actors: gatheredSettlements(ports), writer, notes, host: () => calls });
  actors.register('call', calls);
  actors.register('campaign', campaignReceiver({ campaigns: campaignHost, wake, breaker: settings.breaker }));

  const runtimes = createRuntimeWatch(ports);
  const gate = createDialGate(ports);
  const withdrawals = createWithdrawals(ports);
  const backlog = createDialBacklog(ports.clock);
  const turnApp = {
    ...ports,
    dialGate: gate,
    withdrawals,
    backlog,
    leftOut: leftOutVariables(ports),
    calls,
    writer,
    notes,
    runtimes,
    campaignHost,
  };
  const scheduler = createScheduler({ ...ports, backlog, turn: campaignId => runTurn(turnApp, campaignId) });
  const reconcileApp = { ...turnApp, reservationLeaseMs: settings.reservationLeaseMs };

  /** Reconciles the cell's calls first, then releases slots that were kept for its possible channels. */
  async function lookAt(cell: { cellId: string; at: number }): Promise<void> {
    try {
      await sweepCell(reconcileApp, cell);
      await releaseOrphans(reconcileApp);
    } catch (error) {
      log.warn({ err: error, cellId: cell.cellId }, 'calls of a reconnected cell could not be checked; the reconciler checks them');
    }
  }

  function hear(event: SwitchEvent): void {
    if (event.kind === 'cell_up') {
      scheduler.wake(null);
      void lookAt(event);
    }
    if (!('requestId' in event)) return;
    const { requestId, kind } = event;
    handleChannelEvent(turnApp, event).catch((error: unknown) =>
      log.warn({ err: error, requestId, kind }, 'a channel event could not be applied; the reconciler finds what it says'),
    );
  }

  /** Dispatches, pumps and reconciles. `dispatching` aborts first, so that a drain starts no new calls; `working` aborts last. */
  async function run(dispatching: AbortSignal, working: AbortSignal): Promise<void> {
    if (dispatching.aborted) gate.stop();
    else dispatching.addEventListener('abort', () => gate.stop(), { once: true });
    const stopWakes = ports.listenForWakes(campaignId => scheduler.wake(campaignId));
    const stopEvents = switchPort.subscribe(hear);
    for (const { cellId, state, since } of switchPort.cells()) if (state === 'up') void lookAt({ cellId, at: since });
    const pumping = { ...ports, intervalMs: ports.pumpIntervalMs };
    await Promise.all([
      scheduler.run(dispatching),
      withdrawals.run(working),
      runtimes.run(working),
      runReconciler(reconcileApp, working),
      runMonitoring(ports, working),
      runPumps({ ...pumping, store: ports.callStore }, calls, working),
      runPumps({ ...pumping, store: ports.campaignStore }, campaignHost, working),
    ]);
    stopWakes();
    stopEvents();
    await calls.idle();
    await campaignHost.idle();
  }

  return { run, turnApp, calls, campaignHost, runtimes, writer, dials, slots, locks, wake, actors, monitors, pool, deltas };
}

function hostCalls(
  options: CallEffectOptions &
    MonitorsPart &
    RuntimeEventsPart &
    RuntimePart &
    HostedCalls &
    Pick<Platform, 'wake' | 'actors' | 'clock' | 'log'>,
): CallHost {
  return new ActorHost<CallState, CallActorEvent>(
    { ...options, store: options.callStore },
    {
      aggregate: callAggregate(),
      journal: callJournal(),
      mayWait: hurriesNobody,
      unawaited: UNAWAITED,
      unhurried: UNHURRIED,
      executors: { ...callEffects(options), ...watchEffects(options), ...interventionEffects(options) },
      committed: (requestId, committed) => publishCall(options, requestId, committed),
    },
  );
}

/** The call is offered to a runtime without waiting for these effects: the customer hears nothing until a runtime speaks. */
const UNAWAITED: ReadonlySet<keyof CallEffects> = new Set(['recordAnswered', 'noteSpoke', 'noteUnheard']);

/** Follow-up effects of a successful claim or a started take-over: they yield to claims of other users, who are waiting for a reply. */
const UNHURRIED: ReadonlySet<keyof TakeOverEffects> = new Set(['focusMonitor', 'pinMonitor', 'signalIntervene', 'notifyIntervention']);

type HostedCalls = Pick<EnginePorts, 'callStore' | 'deltas' | 'clock' | 'random' | 'ids'>;
