import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import type { Batch } from '#attempts/batch.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { CellState, SwitchPort } from '#platform/freeswitch/switch.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';
import { type RuntimeSurvey, type SurveyDeps, surveyRuntimes } from '#runtimes/survey-runtimes.ts';
import {
  type Activity,
  type CampaignCounts,
  type OverviewLine,
  readActivity,
  readCampaigns,
  readLines,
  readScheduler,
  readStuckBatches,
  type SchedulerCounters,
} from './runtime-counts.ts';

/** Most entries of each list in one overview. */
const MAX_CAMPAIGNS = 200;
/** Above any real number of lines, so that the overview omits none. */
const MAX_LINES = 10_000;
const MAX_STUCK_BATCHES = 50;
const RECENT_EVENTS = 20;
/** A batch is dialled within seconds; after this long it counts as stuck, in ms. */
const STUCK_BATCH_MS = 10 * 60_000;

export interface RuntimeOverviewDeps extends SurveyDeps, ListDeps {
  events: Pick<RuntimeEventStore, 'recent'>;
  slots: Pick<SlotRegistry, 'usage'>;
  switchPort: Pick<SwitchPort, 'cells'>;
  /** Longest normal time from a claim to an answer or an end: originate timeout plus `dispatch.resultGraceSeconds`, in ms. */
  stuckCallMs: number;
}

export interface RuntimeOverview extends RuntimeSurvey, Activity {
  scheduler: SchedulerCounters;
  campaigns: CampaignCounts[];
  lines: (OverviewLine & { active: number })[];
  cells: (CellState & { active: number })[];
  stuckBatches: Batch[];
  recentEvents: RuntimeEvent[];
}

/**
 * Returns the current activity of the server.
 *
 * Shape:  `activeContacts` counts contacts with an open attempt, `stuckContacts` those of them that were neither answered nor closed within
 *         `stuckCallMs` of the claim; `stuckBatches` lists batches that have been running for more than 10 minutes; the scheduler's
 *         `submitted` and `failed` cover the batches begun in the last minute; `active` of lines and cells comes from the slot registry
 * Errors: DATABASE_UNAVAILABLE; CACHE_UNAVAILABLE
 * Source: OCS 2.12
 */
export async function getRuntimeOverview(deps: RuntimeOverviewDeps): Promise<RuntimeOverview> {
  const [activity, scheduler, campaigns, lines, stuckBatches, recentEvents, runtimes] = await Promise.all([
    readActivity(deps, deps.stuckCallMs),
    readScheduler(deps),
    readCampaigns(deps, MAX_CAMPAIGNS),
    readLines(deps, MAX_LINES),
    readStuckBatches(deps, STUCK_BATCH_MS, MAX_STUCK_BATCHES),
    deps.events.recent(RECENT_EVENTS),
    surveyRuntimes(deps),
  ]);
  return { ...activity, scheduler, campaigns, ...(await withUsage(deps, lines)), stuckBatches, recentEvents, ...runtimes };
}

export async function withUsage(
  deps: Pick<RuntimeOverviewDeps, 'slots' | 'switchPort'>,
  lines: readonly OverviewLine[],
): Promise<Pick<RuntimeOverview, 'lines' | 'cells'>> {
  const cells = deps.switchPort.cells();
  const usage = await deps.slots.usage([
    ...lines.map(({ lineId }) => ({ kind: 'line' as const, lineId })),
    ...cells.map(({ cellId }) => ({ kind: 'cell' as const, cellId })),
  ]);
  return {
    lines: lines.map((line, index) => ({ ...line, active: usage[index] ?? 0 })),
    cells: cells.map((cell, index) => ({ ...cell, active: usage[lines.length + index] ?? 0 })),
  };
}
