import type { LiveDeltas } from '#platform/feeds/live-deltas.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventSignals } from '#runtime-events/runtime-event-store.ts';
import { getRuntimeOverview, type RuntimeOverview, type RuntimeOverviewDeps } from './get-runtime-overview.ts';
import { getRecentMinutes, type MinuteCounts } from './counts.ts';
import { readRouting } from './runtime-counts.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { EVERY_CALL } from '#calls/live-call-scope.ts';
import type { LiveCallsFeed } from '#calls/live-calls-feed.ts';
import { isSame, polledSource } from '#platform/feeds/polled-source.ts';
import { waitingCalls, type WaitingPeople } from './waiting-people.ts';

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
}

export interface RuntimeOverviewStateDeps extends RuntimeOverviewDeps, Pick<Platform, 'clock' | 'log'> {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  signals: Pick<RuntimeEventSignals, 'subscribe'>;
  liveCallsFeed: Pick<LiveCallsFeed, 'channel'>;
}

/** Current activity of the server; each change carries all of it. Source: OCS 2.12 */
export function runtimeOverviewSource(deps: RuntimeOverviewStateDeps): Source<RuntimeNow, RuntimeNow> {
  const live = deps.liveCallsFeed.channel(EVERY_CALL);
  return polledSource(deps, {
    what: 'the runtime overview',
    async read() {
      const [overview, recentMinutes, forAgent] = await Promise.all([
        getRuntimeOverview(deps),
        getRecentMinutes(deps, MINUTES),
        readRouting(deps),
      ]);
      const calls = waitingCalls(live.since(null));
      return { overview, recentMinutes, waiting: calls && { ...calls, forAgent } };
    },
    changes: (before, after) => (isSameNow(before, after) ? [] : [after]),
    listen(refresh) {
      const stops = [
        // The subscription keeps the view of live calls loaded; its changes are ignored, because the deltas below trigger the reads.
        live.follow(
          event => event.kind !== 'change' && refresh(),
          () => undefined,
        ),
        deps.deltas.subscribe(({ kind }) => {
          if (kind !== 'segment') refresh();
        }),
        deps.signals.subscribe(refresh),
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
