import { natsSoftphoneRuntime, natsSoftphoneSignals, softphoneSessionRepository } from '#softphones/session-store.ts';
import type { ConferenceApp, ConferenceHost, ConferenceSettings, ConferencesPart } from '#conferences/conference-actor.ts';
import { conferenceActorStore } from '#conferences/conference-actor-store.ts';
import { conferenceKind } from '#conferences/effects.ts';
import { runConferenceReconciler } from '#conferences/reconcile.ts';
import { handleConferenceEvent } from '#conferences/switch-events.ts';
import type { SoftphoneApp, SoftphonesPart } from '#softphones/session.ts';
import { handleSessionEvent, reconcileSessions } from '#softphones/session-events.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { runPumps } from '#platform/actor-host/pumps.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { Freed } from '#policies/holds.ts';
import { sleep } from '#kernel/clock.ts';
import type { Config } from '#platform/config/shape.ts';
import type { ServerContext } from './context.ts';

/** Runs conferences and browser phone sessions: switch events and the reconcilers. */
export function runConferenceEngine(context: ServerContext, app: SoftphoneApp): void {
  runConferences(context, app);
  runSessions(context, app);
}

/** Settings of conferences, and the part of browser phones. */
export function conferenceParts({ config, database, bus }: ServerContext): Pick<ConferencesPart, 'conferenceSettings'> & SoftphonesPart {
  return {
    conferenceSettings: settingsOf(config),
    softphoneSessions: softphoneSessionRepository(database),
    softphoneRuntime: natsSoftphoneRuntime(bus),
    softphoneSignals: natsSoftphoneSignals(bus),
  };
}

/** Interval of the pump for effects that an instance has left undone, ms. */
const PUMP_INTERVAL_MS = 250;

/** The actors of conferences; `pumpConferences` carries out what a lost instance has left undone. */
export function createConferenceActors(parts: Omit<ConferenceApp, 'conferenceHost'> & Pick<Platform, 'db' | 'random'>, freed: Freed) {
  const store = conferenceActorStore(parts.db, freed);
  const conferenceHost: ConferenceHost = new ActorHost(
    { ...parts, store },
    conferenceKind(() => ({ ...parts, conferenceHost })),
  );
  const pumpConferences = (working: AbortSignal) => runPumps({ ...parts, store, intervalMs: PUMP_INTERVAL_MS }, conferenceHost, working);
  return { conferenceHost, pumpConferences };
}

function settingsOf({ conferences, cells }: Config): ConferenceSettings {
  const profiles = new Map(cells.map(cell => [cell.id, cell.conferenceProfile]));
  return {
    ringTimeoutSeconds: conferences.ringTimeoutSeconds,
    maxAgentsAsked: conferences.maxAgentsAsked,
    maxSessionMs: conferences.maxSessionMinutes * 60_000,
    reconcileIntervalMs: conferences.reconcileIntervalMs,
    isRecording: conferences.isRecording,
    profileOf: cellId => profiles.get(cellId) ?? 'default',
  };
}

function runConferences(context: ServerContext, app: SoftphoneApp): void {
  const { log, stack } = context;
  const working = new AbortController();
  const underWay = new Set<Promise<void>>();
  const take = async (event: SwitchEvent) => {
    const missed = (error: unknown) =>
      log.warn({ err: error, kind: event.kind }, 'an event of a conference could not be applied; the reconciler finds what it reported');
    // The conference first: the session reads the result of the event from its rows.
    await handleConferenceEvent(app, event).catch(missed);
    await handleSessionEvent(app, event).catch(missed);
  };
  const stopEvents = app.switchPort.subscribe(event => {
    const work = take(event);
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  });
  const reconciling = runConferenceReconciler(app, working.signal);
  reconciling.catch(context.fail);
  stack.defer(async () => {
    stopEvents();
    working.abort();
    await reconciling;
    await Promise.all(underWay);
    await app.conferenceHost.idle();
  });
}

/** Reconciles sessions for missed events; events themselves arrive through the conferences. */
function runSessions({ log, clock, stack }: ServerContext, app: SoftphoneApp): void {
  const working = new AbortController();
  const look = () =>
    reconcileSessions(app).catch((error: unknown) => log.warn({ err: error }, 'softphone sessions could not be reconciled'));
  // One round at a time; the recovery of a cell starts the next round at once.
  let wake = new AbortController();
  const stopEvents = app.switchPort.subscribe(event => {
    if (event.kind === 'cell_up') wake.abort();
  });
  const reconciling = (async () => {
    while (!working.signal.aborted) {
      wake = new AbortController();
      await look();
      await sleep(clock, app.conferenceSettings.reconcileIntervalMs, AbortSignal.any([working.signal, wake.signal]));
    }
  })();
  stack.defer(async () => {
    stopEvents();
    working.abort();
    await reconciling;
  });
}
