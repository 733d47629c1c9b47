import type { LiveDeltas } from '#ports/live-deltas.ts';
import type { Ports } from '#ports/ports.ts';
import type { RuntimeEventSignals } from '#ports/runtime-event-store.ts';
import { getRuntimeOverview, type RuntimeOverview, type RuntimeOverviewDeps } from '#operations/overview/get-runtime-overview.ts';
import { getRecentMinutes, type MinuteCounts } from '#operations/overview/read-counts.ts';
import { readRouting } from '#operations/overview/runtime-counts.ts';
import type { Source } from './feed.ts';
import { EVERY_CALL } from './live-call-scope.ts';
import type { LiveCallsFeed } from './live-calls-feed.ts';
import { isSame, polledSource } from './polled-source.ts';
import { waitingCalls, type WaitingPeople } from './waiting-people.ts';

/** What no signal says (contacts, slots, runtimes) shows after this, ms. */
const POLL_MS = 2_000;
/** However much happens, it is read at most this often, ms. */
const SPACING_MS = 1_000;
const MINUTES = 15;

/** What a wall shows of the present. */
export interface RuntimeNow {
  overview: RuntimeOverview;
  /** Of the last 15 minutes, the current one last. */
  recentMinutes: MinuteCounts[];
  /** Null: the live calls are not known yet. */
  waiting: WaitingPeople | null;
}

export interface RuntimeOverviewStateDeps extends RuntimeOverviewDeps, Pick<Ports, 'clock' | 'log'> {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  signals: Pick<RuntimeEventSignals, 'subscribe'>;
  liveCallsFeed: Pick<LiveCallsFeed, 'channel'>;
}

/** What the server does right now; each change is the whole. Source: OCS 2.12 */
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
    listen(look) {
      const stops = [
        // Followed, it holds every live call; its deltas are the ones that say when to look.
        live.follow(
          event => event.kind !== 'change' && look(),
          () => undefined,
        ),
        deps.deltas.subscribe(({ kind }) => {
          if (kind !== 'segment') look();
        }),
        deps.signals.subscribe(look),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
}

/** A runtime that is heard of again is no news. */
export function isSameNow(before: RuntimeNow, after: RuntimeNow): boolean {
  return isSame(faceOf(before), faceOf(after));
}

function faceOf({ overview, ...now }: RuntimeNow): unknown {
  const runtimes = overview.runtimes.map(({ lastSeenAt: _seen, ageSeconds: _age, ...runtime }) => runtime);
  return [{ ...overview, runtimes }, now];
}
