import { audit, type AuditPart } from '#audit/audit.ts';
import { systemCaller } from '#kernel/caller.ts';
import { sleep } from '#kernel/clock.ts';
import type { RetentionKind } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import type { RemoveSlice, RetentionTarget } from './remove-slice.ts';
import { keysOf } from '#kernel/typed.ts';
import { runRounds } from '#kernel/rounds.ts';

/** Retention in days; 0 keeps for ever. */
export type RetentionLimits = Readonly<Record<RetentionKind, number>>;

export interface RetentionPart {
  removeSlice: RemoveSlice;
  /** Whether a campaign has a limit of its own. Source: D7.21 */
  isLimitedByCampaigns: () => Promise<boolean>;
  retentionLimits: RetentionLimits;
}

type RetentionCounts = Partial<Record<RetentionKind, number>>;

/** Targets of each kind; rows that others refer to come last. */
const TARGETS: Readonly<Record<RetentionKind, readonly RetentionTarget[]>> = {
  transcripts: ['transcript_segment', 'recognized_text', 'call_journal'],
  recordings: ['attempt_recording', 'agent_call_recording', 'conference_recording'],
  attempts: ['agent_call', 'conference', 'attempt'],
  audit: ['audit_row'],
  events: ['runtime_event', 'phone_session_event', 'agent_state', 'agent_message'],
};

const KINDS = keysOf(TARGETS);
/** Targets with limits of campaigns, which hold whatever the configuration says. Source: D7.21 */
const LIMITED_BY_CAMPAIGNS: readonly RetentionTarget[] = ['attempt_recording'];

/** Pause between two slices, which leaves the database to calls, in ms. */
const PAUSE_MS = 50;
/** Longest work on one target in a run, in ms, so that a run ends before the next begins; the next run continues with what is left. */
const MAX_TARGET_MS = 4 * 60_000;

type RetentionApp = RetentionPart & AuditPart & Pick<Platform, 'clock' | 'ids' | 'log' | 'metrics'>;

/**
 * Deletes data that is older than its configured retention, and reports it: one log line, one metric per kind, one audit row.
 *
 * Shape:  counts of the kinds of which something was removed
 * Errors: DATABASE_UNAVAILABLE, after what was removed so far has been recorded
 */
export async function applyRetention(app: RetentionApp, signal: AbortSignal): Promise<RetentionCounts> {
  const counts: RetentionCounts = {};
  const ofCampaigns = (await app.isLimitedByCampaigns()) ? LIMITED_BY_CAMPAIGNS : [];
  try {
    for (const kind of KINDS) {
      const days = app.retentionLimits[kind];
      for (const target of TARGETS[kind].filter(each => days > 0 || ofCampaigns.includes(each)))
        await removeAll(app, { target, days, signal }, count => add(counts, kind, count));
    }
  } finally {
    await record(app, counts);
  }
  return counts;
}

async function removeAll(
  { removeSlice, clock }: Pick<RetentionApp, 'removeSlice' | 'clock'>,
  { target, days, signal }: { target: RetentionTarget; days: number; signal: AbortSignal },
  count: (removed: number) => void,
): Promise<void> {
  const endsAt = clock.monotonic() + MAX_TARGET_MS;
  for (let next: number | null = 0; next !== null && !signal.aborted && clock.monotonic() < endsAt; ) {
    const slice = await removeSlice(target, days, next);
    count(slice.removed);
    next = slice.next;
    if (next !== null) await sleep(clock, PAUSE_MS, signal);
  }
}

function add(counts: RetentionCounts, kind: RetentionKind, removed: number): void {
  if (removed > 0) counts[kind] = (counts[kind] ?? 0) + removed;
}

async function record(app: RetentionApp, counts: RetentionCounts): Promise<void> {
  const entries = KINDS.flatMap(kind => (counts[kind] === undefined ? [] : [[kind, counts[kind]] as const]));
  if (entries.length === 0) return;
  for (const [kind, count] of entries) app.metrics.retentionDeleted(kind, count);
  app.log.info({ removed: counts }, 'data past their retention period were deleted');
  await audit(app, systemCaller(app.ids()), {
    action: 'retention.applied',
    targetType: 'retention',
    targetId: null,
    summary: `按保留期限清理 ${entries.reduce((sum, [, count]) => sum + count, 0)} 行数据`,
    detail: Object.fromEntries(entries),
  });
}

/** Interval between the starts of two runs, across all servers, in ms. */
const INTERVAL_MS = 3_600_000;
/** Interval at which each server checks whether the next run is due, in ms. */
const LOOK_MS = 60_000;

/**
 * Applies the limits once an hour, one server at a time, until the signal aborts.
 *
 * Why: the lock stays held after a run until it expires, so that the next run, on any server, starts an hour later. A failed run releases it,
 *      and two concurrent runs are harmless
 */
export async function runRetention(app: RetentionApp & Pick<Platform, 'locks'>, signal: AbortSignal): Promise<void> {
  await runRounds(
    app,
    { intervalMs: LOOK_MS, failure: 'data past their retention period could not be deleted; the next round retries' },
    signal,
    () => runOnce(app, signal),
  );
}

async function runOnce(app: RetentionApp & Pick<Platform, 'locks'>, signal: AbortSignal): Promise<void> {
  const isLimited = Object.values(app.retentionLimits).some(days => days > 0) || (await app.isLimitedByCampaigns());
  if (!isLimited) return;
  const token = await app.locks.acquire('retention', INTERVAL_MS);
  if (token === null) return;
  try {
    await applyRetention(app, signal);
  } catch (error) {
    await app.locks.release('retention', token);
    throw error;
  }
}
