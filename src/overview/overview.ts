import type { AgentDirectoryPart } from '#agents/agent-directory.ts';
import { type AgentActivity, type AgentStatus, countStates } from '#agents/agent.ts';
import { attemptList } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import type { Source } from '#platform/feeds/feed.ts';
import type { DeltasPart } from '#platform/feeds/live-deltas.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import { readSlice } from '#platform/postgres/listing.ts';
import type { RuntimeEventsPart, EventSignalsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import { type DayCounts, type OverviewCounts, readCounts } from './counts.ts';

const RECENT_EVENTS = 10;
const RECENT_ATTEMPTS = 10;

export interface Overview extends OverviewCounts {
  /** Enabled agents by their effective status, and by what exactly they do. */
  agents: Record<AgentStatus, number>;
  agentStates: Record<AgentActivity, number>;
  ratios: { answerRate: number; completionRate: number };
  /** Newest first. */
  recentEvents: RuntimeEvent[];
  recentAttempts: Attempt[];
}

/**
 * Returns the counts and lists of the dashboard's first page.
 *
 * Errors: DATABASE_UNAVAILABLE; CACHE_UNAVAILABLE
 * Source: OCS 4.1, D14.2
 */
export async function getOverview(app: RuntimeEventsPart & AgentDirectoryPart & Pick<Platform, 'db'>): Promise<Overview> {
  const { agentDirectory, events } = app;
  const [counts, agentsNow, recentEvents, newest] = await Promise.all([
    readCounts(app),
    agentDirectory.list(),
    events.recent(RECENT_EVENTS),
    readSlice(app, attemptList, { limit: RECENT_ATTEMPTS }),
  ]);
  const agentStates = countStates(agentsNow);
  return {
    ...counts,
    agents: statusesOf(agentStates),
    agentStates,
    ratios: ratiosOf(counts.today),
    recentEvents,
    recentAttempts: newest.rows,
  };
}

/** An agent who is neither idle nor offline counts as busy; `agentStatus` applies the same rule to one agent. */
function statusesOf({ idle, offline, ...others }: Record<AgentActivity, number>): Record<AgentStatus, number> {
  return { idle, offline, busy: Object.values(others).reduce((sum, count) => sum + count, 0) };
}

function ratiosOf({ attempts, answered, completed }: DayCounts): Overview['ratios'] {
  if (attempts === 0) return { answerRate: 0, completionRate: 0 };
  return { answerRate: answered / attempts, completionRate: completed / attempts };
}

/** Poll interval, in ms: changes of agents and contacts cause neither a delta nor a runtime event. */
const POLL_MS = 2_000;
/** Minimum interval between two reads, in ms, whatever the number of events. */
const SPACING_MS = 1_000;

/** Figures of the dashboard's first page; each change carries all of them. Source: OCS 4.1, D14.2 */
export function overviewSource(
  app: RuntimeEventsPart & AgentDirectoryPart & DeltasPart & EventSignalsPart & Pick<Platform, 'db' | 'clock' | 'log'>,
): Source<Overview, Overview> {
  return polledSource(app, {
    what: 'the overview',
    read: () => getOverview(app),
    changes: wholeWhenOther,
    listen(refresh) {
      const stops = [
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
