import { sql } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import { isCalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { Database } from './database.ts';

/** What was read, and the instant as of which it holds, UTC ms. */
export interface Read<T> {
  value: T;
  asOf: number;
}

/**
 * Reads for reports and exports, which may be a little behind: from a replica where there is one, so that dials have the primary to themselves.
 *
 * Why:    a replica that cannot be reached, or is too far behind, is left alone for some seconds, and the primary answers instead; `work` may run twice
 * Errors: those of `work`
 * Source: D14.10
 */
export interface ReportReader {
  /** `notBefore`: the replica must have everything that was committed before, UTC ms. */
  read<T>(work: (db: Database) => Promise<T>, notBefore?: number): Promise<Read<T>>;
}

export function primaryReader(primary: Database, clock: Pick<Clock, 'now'>): ReportReader {
  return {
    async read(work) {
      const asOf = clock.now();
      return { value: await work(primary), asOf };
    },
  };
}

/** Reasons why the primary answers for the replica. */
export type ReplicaFault = 'unreachable' | 'behind' | 'no_replica';

export interface ReplicaOptions {
  primary: Database;
  /** Opens the pool of the replica. */
  connect: () => Promise<Database>;
  maxLagMs: number;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Told once when the primary takes over (a fault), and when the replica is back (null). */
  changed: (fault: ReplicaFault | null) => void;
}

/** How long a look at the replica holds, ms. */
const LOOK_MS = 1_000;
/** Time for which a replica with a fault is left alone, ms. */
const REST_MS = 10_000;

/** Where the replica stands: as of an instant of the primary's clock, or with a fault. */
type Standing = { kind: 'ready'; db: Database; asOf: number } | { kind: 'fault'; fault: ReplicaFault };

export class ReplicaReader implements ReportReader {
  readonly #options: ReplicaOptions;
  #opened: Promise<Database> | null = null;
  #standing: Promise<Standing> | null = null;
  /** Monotonic ms until which the last look holds. */
  #holdsUntil = Number.NEGATIVE_INFINITY;
  #fault: ReplicaFault | null = null;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  async read<T>(work: (db: Database) => Promise<T>, notBefore = 0): Promise<Read<T>> {
    const standing = await this.#look();
    if (standing.kind === 'fault' || standing.asOf < notBefore) return this.#readPrimary(work);
    try {
      return { value: await work(standing.db), asOf: standing.asOf };
    } catch (error) {
      // What a caller did wrong is wrong at the primary, too.
      if (isCalloutError(error) && error.code !== 'DATABASE_UNAVAILABLE') throw error;
      this.#options.log.warn({ err: error }, 'the replica has failed a report; the primary answers');
      this.#note({ kind: 'fault', fault: 'unreachable' });
      return this.#readPrimary(work);
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.then(db => db.close()).catch(() => undefined);
  }

  async #readPrimary<T>(work: (db: Database) => Promise<T>): Promise<Read<T>> {
    return primaryReader(this.#options.primary, this.#options.clock).read(work);
  }

  /** One look at a time, for all who ask meanwhile. */
  #look(): Promise<Standing> {
    const { clock } = this.#options;
    if (this.#standing === null || clock.monotonic() >= this.#holdsUntil) {
      this.#holdsUntil = clock.monotonic() + LOOK_MS;
      this.#standing = this.#measure().then(standing => {
        this.#note(standing);
        return standing;
      });
    }
    return this.#standing;
  }

  #note(standing: Standing): void {
    const fault = standing.kind === 'fault' ? standing.fault : null;
    if (fault !== null) {
      this.#standing = Promise.resolve(standing);
      this.#holdsUntil = this.#options.clock.monotonic() + REST_MS;
    }
    if ((fault === null) !== (this.#fault === null)) this.#options.changed(fault);
    this.#fault = fault;
  }

  async #measure(): Promise<Standing> {
    const before = await readPrimaryPosition(this.#options.primary);
    try {
      return await standingOf(await this.#open(), before, this.#options.maxLagMs);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the replica cannot be reached; the primary answers reports');
      return { kind: 'fault', fault: 'unreachable' };
    }
  }

  #open(): Promise<Database> {
    this.#opened ??= this.#options.connect().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }
}

interface Position {
  now: number;
  /** Where the log of the primary ends. */
  lsn: string;
}

async function readPrimaryPosition(primary: Database): Promise<Position> {
  const row = await primary.first(sql<Position>`select now() as now, pg_current_wal_lsn()::text as lsn`);
  return row ?? { now: 0, lsn: '0/0' };
}

/** A primary at which nothing happens has no new transaction to tell of, so a replica that has its whole log is as of now. */
async function standingOf(db: Database, { now, lsn }: Position, maxLagMs: number): Promise<Standing> {
  const row = await db.first(sql<{ isReplica: boolean; hasAll: boolean | null; replayedAt: number | null }>`
    select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as has_all, pg_last_xact_replay_timestamp() as replayed_at`);
  if (row?.isReplica !== true) return { kind: 'fault', fault: 'no_replica' };
  const asOf = row.hasAll === true ? now : (row.replayedAt ?? 0);
  return now - asOf > maxLagMs ? { kind: 'fault', fault: 'behind' } : { kind: 'ready', db, asOf };
}
