import type { LiveDeltas } from '#ports/live-deltas.ts';
import type { RuntimeEventSignals } from '#ports/runtime-event-store.ts';
import { getOverview, type Overview, type OverviewDeps } from '#operations/overview/get-overview.ts';
import type { Ports } from '#ports/ports.ts';
import type { Source } from './feed.ts';
import { polledSource, wholeWhenOther } from './polled-source.ts';

/** What neither a call nor an event says (agents, contacts) shows after this, ms. */
const POLL_MS = 2_000;
/** However much happens, counts are read at most this often, ms. */
const SPACING_MS = 1_000;

export interface OverviewStateDeps extends OverviewDeps, Pick<Ports, 'clock' | 'log'> {
  deltas: Pick<LiveDeltas, 'subscribe'>;
  signals: Pick<RuntimeEventSignals, 'subscribe'>;
}

/** A dashboard's first page; each change is the whole. Source: OCS 4.1, D14.2 */
export function overviewSource(deps: OverviewStateDeps): Source<Overview, Overview> {
  return polledSource(deps, {
    what: 'the overview',
    read: () => getOverview(deps),
    changes: wholeWhenOther,
    listen(look) {
      const stops = [
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
