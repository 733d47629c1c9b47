import { sql } from 'kysely';
import { runRounds } from '#kernel/rounds.ts';
import { sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { instant } from '#platform/postgres/values.ts';
import { readSealedRange, type SealedRange, writeBlocks } from './block-store.ts';
import { ALL_COLUMNS } from './column-statements.ts';
import { fieldColumn } from './decisions/columns.ts';
import { MS_PER_HOUR, startOfHour } from './decisions/plan-hours.ts';
import { readCalls, readFieldKeys } from './read-calls.ts';

type SealingApp = Pick<Platform, 'db' | 'locks' | 'clock' | 'log'>;

/**
 * Time from the end of an hour until it is sealed, ms.
 *
 * Why: a change marks an hour when the call is older than half an hour as the transaction begins, so a transaction would have to last longer than
 *      half an hour to be missed by a seal that waits for an hour
 */
const SETTLED_MS = MS_PER_HOUR;
/** Interval at which each server looks for hours to seal, ms. */
const LOOK_MS = 60_000;
/** Longest work of one round, ms; the lock lasts longer. */
const ROUND_MS = 40_000;
const LOCK_MS = 60_000;
/** Pause after each hour, ms: calls come first. */
const PAUSE_MS = 50;
/** Key for `pg_try_advisory_xact_lock`: two servers never write the same hour. */
const SEAL_LOCK = 7_225_541;

/**
 * Seals past hours and those that were changed, one server at a time, until the signal aborts.
 *
 * Source: D14.6
 */
export async function runSealing(app: SealingApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: LOOK_MS, failure: 'hours of calls could not be sealed; the next round retries' }, signal, () =>
    runOnce(app, signal),
  );
}

async function runOnce(app: SealingApp, signal: AbortSignal): Promise<void> {
  const token = await app.locks.acquire('call-blocks', LOCK_MS);
  if (token === null) return;
  try {
    const endsAt = app.clock.monotonic() + ROUND_MS;
    while (!signal.aborted && app.clock.monotonic() < endsAt && (await sealNext(app))) await sleep(app.clock, PAUSE_MS, signal);
  } finally {
    await app.locks.release('call-blocks', token);
  }
}

/** Seals the hour that is most urgent; false when all are sealed. */
export async function sealNext({ db }: Pick<SealingApp, 'db'>): Promise<boolean> {
  return db.transaction(async tx => {
    const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${SEAL_LOCK}) as mine`);
    if (lock?.mine !== true) return false;
    // The block ranges of `attempt_created` find an hour, and find quickly that nothing is older.
    await tx.run(sql`set local enable_seqscan = off`);
    const next = await nextHour(tx, await readSealedRange(tx));
    if (next === null) return false;
    if (next.hour !== null) await seal(tx, next.hour);
    if (next.range !== null) await writeRange(tx, next.range);
    return true;
  });
}

interface NextHour {
  /** Null for hours without calls. */
  hour: number | null;
  /** The sealed range after this hour; null when sealing the hour again leaves the range as it is. */
  range: SealedRange | null;
}

/** Changed hours come first, then those that follow the sealed ones, then those before them. */
async function nextHour(tx: Sql, range: SealedRange | null): Promise<NextHour | null> {
  const last = startOfHour(await nowOf(tx)) - SETTLED_MS - MS_PER_HOUR;
  if (range === null) return { hour: last, range: { from: last, to: last + MS_PER_HOUR } };
  const changed = await tx.first(sql<{ hour: number }>`
    select hour from call_block_stale where hour >= ${instant(range.from)} and hour < ${instant(range.to)} order by hour desc limit 1`);
  if (changed) return { hour: changed.hour, range: null };
  if (range.to <= last) return { hour: range.to, range: { from: range.from, to: range.to + MS_PER_HOUR } };
  return hourBefore(tx, range);
}

async function nowOf(tx: Sql): Promise<number> {
  return (await tx.first(sql<{ now: number }>`select now() as now`))?.now ?? 0;
}

/** The hour before the sealed ones, or the whole day where it has no call; null when there are no earlier calls. */
async function hourBefore(tx: Sql, { from, to }: SealedRange): Promise<NextHour | null> {
  const dayBefore = from - 24 * MS_PER_HOUR;
  const isAny = async (after: number) =>
    (await tx.first(sql`select 1 from attempt where created_at >= ${instant(after)} and created_at < ${instant(from)} limit 1`)) !==
    undefined;
  if (await isAny(dayBefore)) return { hour: from - MS_PER_HOUR, range: { from: from - MS_PER_HOUR, to } };
  return (await isAny(0)) ? { hour: null, range: { from: dayBefore, to } } : null;
}

/** The marks are removed before the calls are read: a change that is not read leaves a mark. */
async function seal(tx: Sql, hour: number): Promise<void> {
  await tx.run(sql`delete from call_block_stale where hour = ${instant(hour)}`);
  const span = { from: hour, to: hour + MS_PER_HOUR };
  const calls = await readCalls(tx, [span], [...ALL_COLUMNS, ...(await readFieldKeys(tx, span)).map(fieldColumn)]);
  await writeBlocks(tx, hour, calls?.get(hour) ?? { rows: 0, columns: new Map() });
}

async function writeRange(tx: Sql, { from, to }: SealedRange): Promise<void> {
  await tx.run(sql`
    insert into call_block_range (from_hour, to_hour) values (${instant(from)}, ${instant(to)})
    on conflict (is_one) do update set from_hour = excluded.from_hour, to_hour = excluded.to_hour`);
}
