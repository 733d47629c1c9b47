import { sleep } from '#kernel/clock.ts';
import type { Metrics, RetentionKind } from '#ports/metrics.ts';
import type { Ports } from '#ports/ports.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import { systemCaller } from '../access/caller.ts';
import type { RemoveSlice, RetentionTarget } from './remove-slice.ts';

/** Days; 0: for ever. */
export type RetentionLimits = Readonly<Record<RetentionKind, number>>;

export interface ApplyRetentionDeps extends AuditDeps, Pick<Ports, 'clock' | 'ids' | 'log'> {
  removeSlice: RemoveSlice;
  retentionLimits: RetentionLimits;
  metrics: Pick<Metrics, 'retentionDeleted'>;
}

export type RetentionCounts = Partial<Record<RetentionKind, number>>;

/** What belongs to a kind; what others refer to comes last. */
const TARGETS: Readonly<Record<RetentionKind, readonly RetentionTarget[]>> = {
  transcripts: ['transcript_segment', 'recognized_text'],
  recordings: ['attempt_recording', 'agent_call_recording', 'conference_recording'],
  attempts: ['agent_call', 'conference', 'attempt'],
  audit: ['audit_row'],
  events: ['runtime_event', 'phone_session_event'],
};

const KINDS = Object.keys(TARGETS) as RetentionKind[];

/** Between two slices calls have the database to themselves, ms. */
const PAUSE_MS = 50;
/** Of one target in a run, ms: all of them together end before the next run begins. What is left then is taken by that one. */
const MAX_TARGET_MS = 4 * 60_000;

/**
 * Deletes what has been kept as long as the configuration says, and says what it did: one log line, one count per kind, one audit row.
 *
 * Shape:  kinds of which something was removed
 * Errors: DATABASE_UNAVAILABLE, when what was removed until then has been recorded
 */
export async function applyRetention(deps: ApplyRetentionDeps, signal: AbortSignal): Promise<RetentionCounts> {
  const counts: RetentionCounts = {};
  try {
    for (const kind of KINDS) {
      const days = deps.retentionLimits[kind];
      if (days === 0) continue;
      for (const target of TARGETS[kind]) await removeAll(deps, { target, days, signal }, count => add(counts, kind, count));
    }
  } finally {
    await record(deps, counts);
  }
  return counts;
}

async function removeAll(
  { removeSlice, clock }: Pick<ApplyRetentionDeps, 'removeSlice' | 'clock'>,
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

async function record(deps: ApplyRetentionDeps, counts: RetentionCounts): Promise<void> {
  const entries = KINDS.flatMap(kind => (counts[kind] === undefined ? [] : [[kind, counts[kind]] as const]));
  if (entries.length === 0) return;
  for (const [kind, count] of entries) deps.metrics.retentionDeleted(kind, count);
  deps.log.info({ removed: counts }, 'what was kept as long as the configuration says is deleted');
  await audit(deps, systemCaller(deps.ids()), {
    action: 'retention.applied',
    targetType: 'retention',
    targetId: null,
    summary: `按保留期限清理 ${entries.reduce((sum, [, count]) => sum + count, 0)} 行数据`,
    detail: Object.fromEntries(entries),
  });
}
