import { sql } from 'kysely';
import { sleep, systemClock } from '#kernel/clock.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Span } from './checks.ts';

const LOOK_MS = 500;

/**
 * Watches open jobs until the signal aborts: spans in which a job had no server, from the end of its lease, or from its beginning.
 *
 * Why: a job that waits after a failure of its own has a lease without an owner until its next try, and does not count
 */
export async function watchLeases(database: Database, unowned: Span[], signal: AbortSignal): Promise<void> {
  const open = new Map<number, Span>();
  while (!signal.aborted) {
    const ids = await unownedJobs(database).catch(() => null);
    if (ids !== null) unowned.push(...noteUnowned(open, new Set(ids), systemClock.now()));
    await sleep(systemClock, LOOK_MS, signal);
  }
}

async function unownedJobs(database: Database): Promise<number[]> {
  const rows = await database.rows(sql<{ id: number }>`
    select id from job where state in ('queued', 'running') and (lease_until is null or lease_until < now())`);
  return rows.map(({ id }) => id);
}

/** Prolongs the open spans by what one look has found, and returns the spans that begin with it; a span is open while its job has no owner. */
export function noteUnowned(open: Map<number, Span>, ids: ReadonlySet<number>, now: number): Span[] {
  for (const [id, span] of open) {
    span.endedAt = now;
    if (!ids.has(id)) open.delete(id);
  }
  const begun = [...ids].filter(id => !open.has(id)).map(id => [id, { startedAt: now, endedAt: now }] as const);
  for (const [id, span] of begun) open.set(id, span);
  return begun.map(([, span]) => span);
}
