import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CamelCasePlugin, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { assert } from '#kernel/assert.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { silentLog } from '#kernel/log.ts';
import { ENTITIES } from './entities.ts';
import { databaseFailure, isRepeatable } from './failures.ts';
import { type HotSql, hotSql } from './hot-sql.ts';
import { clientsThatHear, type DriverPool, limitWaiting } from './silent-connections.ts';
import { businessZone, isTypeReaders, readAsNumbers } from './values.ts';

export interface DatabaseConfig {
  /** `postgresql://user:password@host:port/name`, with `?sslmode=…` when wanted. */
  url: string;
  /** Connections at most, ≥ 2. */
  poolSize: number;
  /** The server ends a statement after this, ms. */
  statementTimeoutMs: number;
  /** Seen in pg_stat_activity; `callout` when absent. */
  applicationName?: string;
  /** Business time zone, in which the server counts days; Asia/Shanghai when absent. */
  timeZone?: string;
  /** Lost pooled connections are logged here. */
  log?: Log;
  /** Counts how long an answer takes; the system's when absent. */
  clock?: Clock;
}

/**
 * Where statements run: one connection of the pool per statement, or one transaction. Columns of rows have the names of records: `campaign_id` is `campaignId`.
 *
 * Errors: DATABASE_UNAVAILABLE from everything that asks the server
 */
export interface Sql {
  /** All rows of a statement. */
  rows: <Row>(statement: RawBuilder<Row>) => Promise<Row[]>;
  /** The only or first row. */
  first: <Row>(statement: RawBuilder<Row>) => Promise<Row | undefined>;
  /** Runs a change; resolves to the number of rows it touched. */
  run: (statement: RawBuilder<unknown>) => Promise<number>;
  /** The ORM at the same place; inside a transaction it is flushed before the commit. */
  readonly em: EntityManager;
}

export interface Database extends Sql {
  readonly orm: MikroORM;
  /** The same for what is asked all the time: planned once, and several statements in one round trip. */
  readonly hot: HotSql;
  /**
   * Runs `work` in one transaction: commits when it resolves, rolls back when it rejects.
   *
   * Why: a deadlock or serialisation failure is run again, so `work` must keep its effects inside the transaction
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Reads through the ORM outside a transaction, with failures of the server mapped. */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Asks the server for a sign of life; resolves to the server's clock, UTC ms. Errors: DATABASE_UNAVAILABLE, also when it takes no writes */
  ping(): Promise<number>;
  close(): Promise<void>;
}

/** Waiting for a connection, of the pool or of the server; counted while this process runs, which the driver's own time-out is not, ms. */
const CONNECT_TIMEOUT_MS = 3_000;
/** How much longer than the server the client waits before it gives a statement up, ms. */
const CLIENT_MARGIN_MS = 2_000;
const IDLE_CONNECTION_MS = 30_000;
/** An open transaction that asks nothing is ended by the server, ms. */
const IDLE_IN_TRANSACTION_MS = 15_000;
/** Of a quiet connection, ms; the probes that follow come each second, and ten without an answer end it. */
const KEEP_ALIVE_AFTER_MS = 5_000;
/** Of a server that refuses every write. */
const READ_ONLY_STATE = '25006';
/** Runs of one transaction that keeps deadlocking. */
const MAX_TRANSACTION_RUNS = 4;

/**
 * Opens the pool and the ORM and makes sure that the server answers.
 *
 * Errors: DATABASE_UNAVAILABLE when it does not
 */
export async function connectDatabase(config: DatabaseConfig): Promise<Database> {
  const pools: DriverPool[] = [];
  const orm: MikroORM = new MikroORM(ormOptions(config, pools));
  try {
    const database = databaseOver(orm, pools, config.clock ?? systemClock);
    await database.ping();
    return database;
  } catch (error) {
    await orm.close(true);
    throw databaseFailure(error);
  }
}

/** `pools`: takes in the driver's pool as soon as it is made. */
function ormOptions(config: DatabaseConfig, pools: DriverPool[]): Options {
  const log = config.log ?? silentLog;
  return {
    clientUrl: config.url,
    entities: ENTITIES,
    driverOptions: poolOptions(config, pools),
    logger: message => log.warn({ component: 'database' }, message),
    colors: false,
    metadataCache: { enabled: false },
  };
}

function poolOptions(config: DatabaseConfig, pools: DriverPool[]): Record<string, unknown> {
  const { statementTimeoutMs, clock = systemClock } = config;
  return {
    connectionString: config.url,
    min: 0,
    max: Math.max(2, config.poolSize),
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    application_name: config.applicationName ?? 'callout',
    statement_timeout: statementTimeoutMs,
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: `-c timezone=UTC -c jit=off ${businessZone(config.timeZone)}`,
    // Statements that are asked together leave together (hot-sql.ts).
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    Client: clientsThatHear(clock, { answerTimeoutMs: statementTimeoutMs + CLIENT_MARGIN_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS }),
    // Before its first connection: the ORM asks the server something by itself when it is used first.
    onPoolCreated(pool: DriverPool) {
      limitWaiting(pool, clock, CONNECT_TIMEOUT_MS);
      const types = pool.options.types;
      if (!isTypeReaders(types)) throw new TypeError('the driver takes no type readers');
      readAsNumbers(types);
      pools.push(pool);
    },
  };
}

function databaseOver(orm: MikroORM, pools: readonly DriverPool[], clock: Clock): Database {
  const client = orm.em.getConnection().getClient<unknown>();
  const [pool] = pools;
  assert(pool, 'the ORM has made its pool');
  const pooled = sqlOver(client, runAgainOnDeadlock, () => orm.em.fork());
  return {
    orm,
    hot: hotSql({ pool, compiler: client, clock }),
    rows: pooled.rows,
    first: pooled.first,
    run: pooled.run,
    get em() {
      return orm.em.fork();
    },
    // Not the ORM's own transaction: that one never gives back a connection that breaks inside it.
    transaction: work => runAgainOnDeadlock(() => client.transaction().execute(trx => insideTransaction(orm, trx, work))),
    read: work => work(orm.em.fork()).catch((error: unknown) => Promise.reject(databaseFailure(error))),
    async ping() {
      const row = await pooled.first(
        sql<{ now: number; isWritable: boolean }>`select now() as now, current_setting('transaction_read_only') = 'off' as is_writable`,
      );
      if (row?.isWritable === false)
        throw databaseFailure(Object.assign(new Error('the database is read-only'), { code: READ_ONLY_STATE }));
      return row?.now ?? 0;
    },
    close: () => orm.close(true),
  };
}

async function insideTransaction<T>(orm: MikroORM, trx: Transaction<unknown>, work: (sql: Sql) => Promise<T>): Promise<T> {
  let em: EntityManager | undefined;
  const inside = sqlOver(trx, onceInside, () => {
    if (em) return em;
    em = orm.em.fork();
    em.setTransactionContext(trx);
    return em;
  });
  const result = await work(inside);
  await em?.flush();
  return result;
}

type Run = <T>(run: () => Promise<T>) => Promise<T>;

/** Members of JSON keep the names that they were stored with. */
const RECORD_NAMES = new CamelCasePlugin({ maintainNestedObjectKeys: true });

function sqlOver(executor: Kysely<unknown>, run: Run, em: () => EntityManager): Sql {
  const named = executor.withPlugin(RECORD_NAMES);
  const execute = <Row>(statement: RawBuilder<Row>) => run(() => statement.execute(named));
  return {
    rows: async statement => (await execute(statement)).rows,
    first: async statement => (await execute(statement)).rows[0],
    run: async statement => Number((await execute(statement)).numAffectedRows ?? 0n),
    get em() {
      return em();
    },
  };
}

/** The transaction as a whole is run again, not its statements. */
const onceInside: Run = async run => {
  try {
    return await run();
  } catch (error) {
    throw isRepeatable(error) ? error : databaseFailure(error);
  }
};

async function runAgainOnDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (runs < MAX_TRANSACTION_RUNS && isRepeatable(error)) continue;
      throw databaseFailure(error);
    }
  }
}
