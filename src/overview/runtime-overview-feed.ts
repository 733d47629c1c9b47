import type { LiveCallList } from '#calls/list-live-calls.ts';
import { EVERY_CALL, type ScopedCallEvent } from '#calls/live-call-scope.ts';
import type { LiveCall } from '#calls/live-call.ts';
import type { LiveCallsFeedPart } from '#calls/live-calls-feed.ts';
import type { FeedEvent, Source } from '#platform/feeds/feed.ts';
import type { DeltasPart } from '#platform/feeds/live-deltas.ts';
import { isSame, polledSource } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import type { EventSignalsPart } from '#runtime-events/runtime-event-store.ts';
import { getRecentMinutes, type MinuteCounts } from './counts.ts';
import { getRuntimeOverview, readRouting, type RuntimeOverview, type RuntimeOverviewApp } from './runtime-overview.ts';

/** Number of waiting calls or claims and the start of the longest wait, UTC ms; `since` is null when none waits. */
interface Waiting {
  count: number;
  since: number | null;
}

/** Customers, agents and calls that wait for a person. */
interface WaitingPeople {
  /** Live calls that wait for a monitor. */
  forMonitor: Waiting;
  /** Agents and supervisors who have claimed a call that is not connected to them yet. */
  claims: Waiting;
  /** Customers who wait until an agent is found. */
  forAgent: Waiting;
}

/** Calls by how far they have come; one that is being closed still counts as talking. */
interface CallStages {
  dialling: number;
  ringing: number;
  talking: number;
}

/** Counts from the snapshot of a live-calls channel; null when it has none yet. */
export function liveCounts(
  beginning: readonly FeedEvent<LiveCallList, ScopedCallEvent>[],
): { stages: CallStages; waiting: Pick<WaitingPeople, 'forMonitor' | 'claims'> } | null {
  const known = beginning.find(event => event.kind === 'snapshot');
  if (known === undefined) return null;
  const calls = known.state.calls.filter(({ status }) => status !== 'ended');
  const waiting = { forMonitor: waitingOf(calls, ({ waitingSince }) => waitingSince), claims: waitingOf(calls, claimedAt) };
  return { stages: stagesOf(calls), waiting };
}

function stagesOf(calls: readonly LiveCall[]): CallStages {
  const at = (stage: LiveCall['status']) => calls.filter(({ status }) => status === stage).length;
  return { dialling: at('dialing'), ringing: at('ringing'), talking: at('live') + at('settling') };
}

function claimedAt({ intervention }: LiveCall): number | null {
  if (intervention === null || (intervention.status !== 'requested' && intervention.status !== 'transferring')) return null;
  return intervention.requestedAt;
}

function waitingOf(calls: readonly LiveCall[], sinceOf: (call: LiveCall) => number | null): Waiting {
  const times = calls.map(sinceOf).filter(at => at !== null);
  return { count: times.length, since: times.length === 0 ? null : Math.min(...times) };
}

/** Poll interval, in ms: contacts, slots and runtimes change without a signal. */
const POLL_MS = 2_000;
/** Minimum interval between two reads, in ms, whatever the number of events. */
const SPACING_MS = 1_000;
const MINUTES = 15;

/** Current figures of a wallboard. */
export interface RuntimeNow {
  overview: RuntimeOverview;
  /** Counts of the last 15 minutes, the current one last. */
  recentMinutes: MinuteCounts[];
  /** Null until the live calls are known. */
  waiting: WaitingPeople | null;
  /** Null until the live calls are known. */
  callStages: CallStages | null;
}

/** Current activity of the server; each change carries all of it. Source: OCS 2.12 */
export function runtimeOverviewSource(
  app: RuntimeOverviewApp & DeltasPart & EventSignalsPart & LiveCallsFeedPart & Pick<Platform, 'clock' | 'log'>,
): Source<RuntimeNow, RuntimeNow> {
  const live = app.liveCallsFeed.channel(EVERY_CALL);
  return polledSource(app, {
    what: 'the runtime overview',
    async read() {
      const [overview, recentMinutes, forAgent] = await Promise.all([
        getRuntimeOverview(app),
        getRecentMinutes(app, MINUTES),
        readRouting(app),
      ]);
      const calls = liveCounts(live.since(null));
      const waiting = calls && { ...calls.waiting, forAgent };
      return { overview, recentMinutes, waiting, callStages: calls && calls.stages };
    },
    changes: (before, after) => (isSameNow(before, after) ? [] : [after]),
    listen(refresh) {
      const stops = [
        // The subscription keeps the view of live calls loaded; its changes are ignored, because the deltas below trigger the reads.
        live.follow(
          event => event.kind !== 'change' && refresh(),
          () => undefined,
        ),
        app.deltas.subscribe(({ kind }) => {
          if (kind !== 'segment') refresh();
        }),
        app.eventSignals.subscribe(refresh),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
}

/** Ignores heartbeats: a runtime's time of last contact alone is no change. */
export function isSameNow(before: RuntimeNow, after: RuntimeNow): boolean {
  return isSame(faceOf(before), faceOf(after));
}

function faceOf({ overview, ...now }: RuntimeNow): unknown {
  const runtimes = overview.runtimes.map(({ lastSeenAt: _seen, ageSeconds: _age, ...runtime }) => runtime);
  return [{ ...overview, runtimes }, now];
}
