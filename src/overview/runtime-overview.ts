import { sql } from 'kysely';
import { OPEN } from '#attempts/attempt-store.ts';
import { batch, type Batch } from '#attempts/batch.ts';
import type { CampaignPhase, CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import type { PhaseCause } from '#campaigns/decisions/skip-reason.ts';
import type { ContactStatus } from '#contacts/contact.ts';
import type { CellState } from '#platform/freeswitch/switch.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import type { RuntimeEvent } from '#runtime-events/runtime-event.ts';
import { type RuntimeSurvey, surveyRuntimes } from '#runtimes/survey-runtimes.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import type { UnregisteredRuntimesPart } from '#runtimes/watch-runtimes.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';

/** Most recent batches examined for the counts of the last minute; enough for 80 new batches per second. */
const MAX_BATCHES_PER_MINUTE = 5_000;

interface Activity {
  activeContacts: number;
  stuckContacts: number;
  runningBatches: number;
}

interface SchedulerCounters {
  submittedLastMinute: number;
  failedLastMinute: number;
  completedBatchesLastMinute: number;
}

export interface CampaignCounts {
  campaignId: number;
  name: string;
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason: string | null;
  phaseCause: PhaseCause | null;
  /** UTC ms; null when the phase began before its start was recorded. */
  phaseSince: number | null;
  nextWakeAt: number | null;
  contacts: Record<ContactStatus, number>;
  /** Failed contacts that will be dialled again. */
  awaitingRetry: number;
  held: number;
}

interface OverviewLine {
  lineId: number;
  name: string;
  code: string;
  isEnabled: boolean;
  maxConcurrency: number;
}

/** Reads the lines that are not deleted, in order of their ids. */
function readLines({ db }: Pick<Platform, 'db'>, limit: number): Promise<OverviewLine[]> {
  return db.rows(sql<OverviewLine>`
    select id as line_id, name, code, is_enabled, max_concurrency
    from line where deleted_at is null order by id limit ${limit}`);
}

/** Reads batches that have been running for longer than `olderThanMs`, oldest first. */
export function readStuckBatches({ db }: Pick<Platform, 'db'>, olderThanMs: number, limit: number): Promise<Batch[]> {
  return db.rows(sql<Batch>`
    select ${columnsOf(batch)} from batch where status = 'running' and created_at < now() - ${olderThanMs} * interval '1 millisecond'
    order by created_at limit ${limit}`);
}

/** Counts contacts with an open attempt, and those among them that were neither answered nor closed within `stuckAfterMs` of the claim. */
export async function readActivity({ db }: Pick<Platform, 'db'>, stuckAfterMs: number): Promise<Activity> {
  const row = await db.first(sql<Activity>`
    select count(*) as active_contacts,
           count(*) filter (where a.status <> 'answered' and a.claimed_at < now() - ${stuckAfterMs} * interval '1 millisecond') as stuck_contacts,
           (select count(*) from batch where status = 'running') as running_batches
    from attempt a where ${OPEN} and a.tested_by is null`);
  return row ?? { activeContacts: 0, stuckContacts: 0, runningBatches: 0 };
}

/** Counts customers who wait for an agent, with the start of the longest wait, UTC ms. Source: OCS 4.15 */
export async function readRouting({ db }: Pick<Platform, 'db'>): Promise<{ count: number; since: number | null }> {
  const row = await db.first(sql<{ count: number; since: number | null }>`
    select count(*)::int as count, min(created_at) as since from conference_session where status = 'routing'`);
  return row ?? { count: 0, since: null };
}

/** Counts the scheduler's last minute by database time; `submitted` and `failed` cover the batches begun in it, which dial within seconds. */
export async function readScheduler({ db }: Pick<Platform, 'db'>): Promise<SchedulerCounters> {
  const row = await db.first(sql<SchedulerCounters>`
    select coalesce(sum(submitted), 0) as submitted_last_minute, coalesce(sum(failed), 0) as failed_last_minute,
           (select count(*) from batch where finished_at > now() - interval '1 minute' and status = 'completed') as completed_batches_last_minute
    from batch
    where id > (select coalesce(max(id), 0) - ${MAX_BATCHES_PER_MINUTE}::bigint from batch) and created_at > now() - interval '1 minute'`);
  return row ?? { submittedLastMinute: 0, failedLastMinute: 0, completedBatchesLastMinute: 0 };
}

/** Reads the campaigns that are not archived, running ones first, then the newest. */
async function readCampaigns({ db }: Pick<Platform, 'db'>, limit: number): Promise<CampaignCounts[]> {
  const campaigns = await db.rows(sql<Omit<CampaignCounts, keyof ContactCounts>>`
    select id as campaign_id, name, status, phase, phase_reason, phase_cause, phase_since, next_wake_at
    from campaign where deleted_at is null and status <> 'archived'
    order by array_position(array['running', 'paused', 'draft', 'completed'], status), id desc limit ${limit}`);
  const counts = await db.rows(sql<TallyRow>`
    select campaign_id, status, retryable, sum(delta) as count, coalesce(sum(delta) filter (where held), 0) as held from contact_tally
    where campaign_id = any(${ids(campaigns.map(({ campaignId }) => campaignId))}) group by 1, 2, 3`);
  const byCampaign = Map.groupBy(counts, ({ campaignId }) => campaignId);
  return campaigns.map(campaign => ({ ...campaign, ...countsOf(byCampaign.get(campaign.campaignId) ?? []) }));
}

type TallyRow = { campaignId: number; status: ContactStatus; retryable: boolean; count: number; held: number };

type ContactCounts = Pick<CampaignCounts, 'contacts' | 'awaitingRetry' | 'held'>;

function countsOf(rows: readonly TallyRow[]): ContactCounts {
  const contacts = { pending: 0, submitted: 0, completed: 0, failed: 0, paused: 0 };
  for (const { status, count } of rows) contacts[status] += count;
  const retryable = rows.filter(row => row.status === 'failed' && row.retryable);
  const awaitingRetry = retryable.reduce((sum, { count }) => sum + count, 0);
  return { contacts, awaitingRetry, held: rows.reduce((sum, { held }) => sum + held, 0) };
}

/** Most entries of each list in one overview. */
const MAX_CAMPAIGNS = 200;
/** Above any real number of lines, so that the overview omits none. */
const MAX_LINES = 10_000;
const MAX_STUCK_BATCHES = 50;
const RECENT_EVENTS = 20;
/** A batch is dialled within seconds; after this long it counts as stuck, in ms. */
const STUCK_BATCH_MS = 10 * 60_000;

export interface RuntimeOverviewApp
  extends RuntimePoolPart,
    UnregisteredRuntimesPart,
    RuntimeSettingsPart,
    RuntimeEventsPart,
    SlotsPart,
    Pick<Platform, 'db' | 'switchPort'> {
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
export async function getRuntimeOverview(app: RuntimeOverviewApp): Promise<RuntimeOverview> {
  const [activity, scheduler, campaigns, lines, stuckBatches, recentEvents, runtimes] = await Promise.all([
    readActivity(app, app.stuckCallMs),
    readScheduler(app),
    readCampaigns(app, MAX_CAMPAIGNS),
    readLines(app, MAX_LINES),
    readStuckBatches(app, STUCK_BATCH_MS, MAX_STUCK_BATCHES),
    app.events.recent(RECENT_EVENTS),
    surveyRuntimes(app),
  ]);
  return { ...activity, scheduler, campaigns, ...(await withUsage(app, lines)), stuckBatches, recentEvents, ...runtimes };
}

export async function withUsage(
  app: Pick<RuntimeOverviewApp, 'slots' | 'switchPort'>,
  lines: readonly OverviewLine[],
): Promise<Pick<RuntimeOverview, 'lines' | 'cells'>> {
  const cells = app.switchPort.cells();
  const usage = await app.slots.usage([
    ...lines.map(({ lineId }) => ({ kind: 'line' as const, lineId })),
    ...cells.map(({ cellId }) => ({ kind: 'cell' as const, cellId })),
  ]);
  return {
    lines: lines.map((line, index) => ({ ...line, active: usage[index] ?? 0 })),
    cells: cells.map((cell, index) => ({ ...cell, active: usage[lines.length + index] ?? 0 })),
  };
}
