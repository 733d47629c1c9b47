import { sql } from 'kysely';
import { allPartitions } from '#platform/redis/keys.ts';
import { replied } from '#platform/redis/gathered-eval.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { Metrics, RuntimeCondition, SlotKind } from '#platform/metrics.ts';
import type { PooledRuntime, RuntimePool } from '#runtimes/runtime-pool.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { ServerContext } from './context.ts';

/** Holders per round trip, and the limit of round trips: enough for more calls than any installation has. */
const HOLDERS_PER_ROUND = 1_000;
const MAX_ROUNDS = 200;
/** A scrape waits no longer than this for a store that hangs, ms. */
const SAMPLE_TIMEOUT_MS = 1_000;

/** Gauges that are read on demand, at each scrape of /metrics. */
export function sampleMetrics(context: ServerContext, engine: { slots: SlotRegistry; pool: RuntimePool }): void {
  const { metrics, log, clock } = context;
  metrics.beforeExpose(async () => {
    const inTime = (sample: Promise<void>) =>
      withDeadline(clock, SAMPLE_TIMEOUT_MS, sample, () => new Error(`not sampled in ${SAMPLE_TIMEOUT_MS} ms`));
    const samples = await Promise.allSettled([
      inTime(sampleSlots(metrics, engine.slots)),
      inTime(sampleRuntimes(metrics, engine.pool)),
      inTime(sampleQueues(context)),
    ]);
    // An unavailable store is visible in callout_dependency_up; the page itself must still be served.
    for (const sample of samples) if (sample.status === 'rejected') log.debug({ err: sample.reason }, 'a gauge could not be sampled');
  });
}

async function sampleSlots(metrics: Metrics, slots: SlotRegistry): Promise<void> {
  const counts: Record<SlotKind, number> = { campaign: 0, line: 0, number: 0, cell: 0 };
  let cursor = '0';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const page = await slots.listHeld(cursor, HOLDERS_PER_ROUND);
    for (const held of page.held) {
      counts.campaign += 1;
      if (held.lineId !== null) counts.line += 1;
      if (held.number !== null) counts.number += 1;
      if (held.cellId !== null) counts.cell += 1;
    }
    cursor = page.cursor;
    if (cursor === '0') break;
  }
  for (const kind of ['campaign', 'line', 'number', 'cell'] as const) metrics.slotsInUse(kind, counts[kind]);
}

async function sampleRuntimes(metrics: Metrics, pool: RuntimePool): Promise<void> {
  const byState = Map.groupBy(await pool.list(), conditionOf);
  for (const state of ['live', 'draining', 'gone'] as const) metrics.runtimesKnown(state, byState.get(state)?.length ?? 0);
  const live = byState.get('live') ?? [];
  metrics.runtimePlaces(
    'max',
    sum(live, ({ maxCalls }) => maxCalls),
  );
  metrics.runtimePlaces(
    'held',
    sum(live, ({ calls }) => calls),
  );
}

function conditionOf({ isGone, isDraining }: PooledRuntime): RuntimeCondition {
  if (isGone) return 'gone';
  return isDraining ? 'draining' : 'live';
}

function sum<Row>(rows: readonly Row[], countOf: (row: Row) => number): number {
  return rows.reduce((total, row) => total + countOf(row), 0);
}

async function sampleQueues({ metrics, database, redis }: ServerContext): Promise<void> {
  const outbox = await database.first(sql<{ depth: number }>`select count(*) as depth from outbox`);
  metrics.queueDepth('outbox', outbox?.depth ?? 0);
  const partitions = allPartitions();
  const depths = await redis.run(async client => {
    const pipeline = client.pipeline();
    for (const { due, outboxOrder } of partitions) pipeline.zcard(due).zcard(outboxOrder);
    return replied(await pipeline.exec());
  });
  const at = (index: number) => Number(depths[index] ?? 0);
  const depth = (offset: 0 | 1) => partitions.reduce((total, _, index) => total + at(index * 2 + offset), 0);
  metrics.queueDepth('call_timers', depth(0));
  metrics.queueDepth('call_effects', depth(1));
}
