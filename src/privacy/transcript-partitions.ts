import { type RawBuilder, sql } from 'kysely';
import { runRounds } from '#kernel/rounds.ts';
import type { Platform } from '#platform/platform.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';

export interface UpkeepPart {
  /** Opens a connection for statements that take longer than those of the server may. */
  connectUpkeep: () => Promise<Database>;
}

type PartitionsApp = UpkeepPart & Pick<Platform, 'db' | 'locks' | 'clock' | 'log'> & { events: Pick<RuntimeEventStore, 'record'> };
type TendApp = Pick<PartitionsApp, 'db' | 'log' | 'events' | 'connectUpkeep'>;

/** Interval between two looks at the partitions, across all servers, in ms. */
const INTERVAL_MS = 3_600_000;
/** Interval at which each server checks whether the next look is due, in ms. */
const LOOK_MS = 60_000;

/**
 * Keeps partitions of transcripts ready for the calls of the next three months, one server at a time, until the signal aborts.
 *
 * Why:    the lock stays held until it expires, so that the next look, on any server, is an hour later. A failed one releases it
 * Source: D14.10
 */
export async function runTranscriptPartitions(app: PartitionsApp, signal: AbortSignal): Promise<void> {
  const failure = 'partitions of transcripts could not be made; the next round retries, and meanwhile the open one takes what comes';
  await runRounds(app, { intervalMs: LOOK_MS, failure }, signal, () => runOnce(app, signal));
}

async function runOnce(app: PartitionsApp, signal: AbortSignal): Promise<void> {
  const token = await app.locks.acquire('transcript-partitions', INTERVAL_MS);
  if (token === null) return;
  try {
    await tendTranscripts(app, signal);
  } catch (error) {
    await app.locks.release('transcript-partitions', token);
    throw error;
  }
}

interface Month {
  /** Id that the next call gets. */
  nextId: number;
  /** Calls of a month. */
  size: number;
}

/**
 * Makes what is missing of the partitions ahead. An open partition that has rows already is closed first.
 *
 * Errors: DATABASE_UNAVAILABLE; a lock that is not free within half a second
 */
export async function tendTranscripts(app: TendApp, signal: AbortSignal): Promise<void> {
  const { db } = app;
  const month = await monthOf(db);
  let state = await extend(db, month);
  if (state === 'occupied') {
    await tellLate(app);
    await closeOpen(app, month, signal);
    state = await extend(db, month);
  }
  // Autovacuum analyses partitions alone, not what they are parts of.
  if (state === 'extended') await unhurried(app, sql`select analyze_transcripts()`, signal);
}

async function monthOf(db: Sql): Promise<Month> {
  return (await db.first(sql<Month>`select next_id, size from calls_of_a_month()`)) ?? { nextId: 1, size: 100_000 };
}

async function extend(db: Sql, { nextId, size }: Month): Promise<string> {
  const row = await db.first(sql<{ state: string }>`select extend_transcripts(${nextId}, ${size}) as state`);
  return row?.state ?? '';
}

/** Three steps in transactions of their own, so that no lock lasts while rows are read. */
async function closeOpen(app: TendApp, { nextId, size }: Month, signal: AbortSignal): Promise<void> {
  const { db } = app;
  await db.run(sql`select bound_open_transcripts(${nextId}, ${size})`);
  await unhurried(app, sql`select check_open_transcripts()`, signal);
  await db.run(sql`select close_open_transcripts()`);
}

/** Reads whole partitions, which takes longer than a statement of the server may; calls go on meanwhile, and a server that stops cancels it. */
async function unhurried({ db, connectUpkeep }: TendApp, statement: RawBuilder<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const upkeep = await connectUpkeep();
  try {
    await upkeep.transaction(async tx => {
      const backend = await tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`);
      const cancel = () => void db.run(sql`select pg_cancel_backend(${backend?.pid ?? 0}::int)`).catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      await tx.run(statement).finally(() => signal.removeEventListener('abort', cancel));
    });
  } finally {
    await upkeep.close();
  }
}

/** The first partition is open until somebody looks at it; any later one should have been made in time. Source: D14.3 storage.partition_late */
async function tellLate({ db, events, log }: TendApp): Promise<void> {
  const open = await db.first(sql<{ fromId: number }>`select from_id from transcript_partitions() where to_id is null`);
  if (!open || open.fromId === 0) return;
  log.warn({ fromId: open.fromId }, 'calls have reached the open partition of transcripts, which is divided now');
  await events.record({
    level: 'warning',
    type: 'storage.partition_late',
    title: '转写记录的分区没有及时建立',
    message: '转写暂存在末尾分区，没有丢失；正在补建分区',
    detail: { fromId: open.fromId },
    dedupeKey: `storage.partition_late:${open.fromId}`,
  });
}

/** Transactions that overlap number their segments in another order than their times. */
const UNORDERED = sql`interval '1 hour'`;

/** Drops the partitions whose transcripts are all older than `days` × 24 h; returns how many rows went with them. Source: D14.10 */
export async function dropTranscripts(db: Sql, days: number): Promise<number> {
  const row = await db.first(sql<{ removed: number }>`
    select drop_transcripts(now() - ${days}::int * interval '24 hours' - ${UNORDERED}) as removed`);
  return row?.removed ?? 0;
}
