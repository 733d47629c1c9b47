import type { LiveDeltas } from '#platform/feeds/live-deltas.ts';
import type { RuntimeEventSignals } from '#runtime-events/runtime-event-store.ts';
import { getOverview, type Overview, type OverviewDeps } from './get-overview.ts';
import type { Platform } from '#platform/platform.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';

/** Poll interval, in ms: changes of agents and contacts cause neither a delta nor a runtime event. */
const POLL_MS = 2_000;
/** Minimum interval between two reads, in ms, whatever the number of events. */
const SPACING_MS = 1_000;

export interface OverviewStateDeps extends OverviewDeps, Pick<Platform, 'clock' | 'log'> {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  signals: Pick<RuntimeEventSignals, 'subscribe'>;
}

/** Figures of the dashboard's first page; each change carries all of them. Source: OCS 4.1, D14.2 */
export function overviewSource(deps: OverviewStateDeps): Source<Overview, Overview> {
  return polledSource(deps, {
    what: 'the overview',
    read: () => getOverview(deps),
    changes: wholeWhenOther,
    listen(refresh) {
      const stops = [
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
