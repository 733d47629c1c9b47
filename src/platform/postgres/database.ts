import { type EntityClass, type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CamelCasePlugin, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { assert } from '#kernel/assert.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { silentLog } from '#kernel/log.ts';
import { databaseFailure, isRepeatable } from './failures.ts';
import { type HotSql, hotSql } from './hot-sql.ts';
import { clientsThatHear, type DriverPool, limitWaiting } from './connections.ts';
import { businessZone, isTypeReaders, readAsNumbers } from './values.ts';

export interface DatabaseConfig {
  /** Every entity that the process reads or writes. */
  entities: readonly EntityClass<object>[];
  /** `postgresql://user:password@host:port/name`, optionally with `?sslmode=…`. */
  url: string;
  /** Limit of connections, ≥ 2. */
  poolSize: number;
  /** Time after which the server cancels a statement, ms. */
  statementTimeoutMs: number;
  /** Application name in pg_stat_activity; default `callout`. */
  applicationName?: string;
  /** Business time zone, used by the server to assign instants to days; default Asia/Shanghai. */
  timeZone?: string;
  /** Log for lost pooled connections. */
  log?: Log;
  /** Clock for time-outs; default: the system clock. */
  clock?: Clock;
  /** A replica, whose statements only read; default: false. */
  isReplica?: boolean;
}

/**
 * Runs statements, each on a pooled connection or all in one transaction. Result columns have record names: `campaign_id` is `campaignId`.
 *
 * Errors: DATABASE_UNAVAILABLE from every query
 */
export interface Sql {
  /** Returns all rows of a statement. */
  rows: <Row>(statement: RawBuilder<Row>) => Promise<Row[]>;
  /** Returns the first row. */
  first: <Row>(statement: RawBuilder<Row>) => Promise<Row | undefined>;
  /** Runs a change; returns the number of affected rows. */
  run: (statement: RawBuilder<unknown>) => Promise<number>;
  /** The ORM's entity manager in the same context; inside a transaction it is flushed before the commit. */
  readonly em: EntityManager;
}

export interface Database extends Sql {
  readonly orm: MikroORM;
  /** For frequent statements: prepared once per connection, and several sent in one round trip. */
  readonly hot: HotSql;
  /**
   * Runs `work` in a transaction: commits when it resolves, rolls back when it rejects.
   *
   * Why: after a deadlock or serialisation failure `work` runs again, so it must have no effects outside the transaction
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Reads through the ORM outside a transaction, with server failures mapped. */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Checks the connection; returns the server's clock, UTC ms. Errors: DATABASE_UNAVAILABLE, also when the server is read-only */
  ping(): Promise<number>;
  close(): Promise<void>;
}

/** Time-out for a connection from the pool or to the server, in ms of process time (the driver's own time-out uses wall-clock time). */
const CONNECT_TIMEOUT_MS = 3_000;
/** Additional time that the client waits beyond the server's statement time-out, ms. */
const CLIENT_MARGIN_MS = 2_000;
const IDLE_CONNECTION_MS = 30_000;
/** Time after which the server ends an idle transaction, ms. */
const IDLE_IN_TRANSACTION_MS = 15_000;
/** Idle time before TCP keep-alive probes start, ms; they repeat every second, and ten lost ones end the connection. */
const KEEP_ALIVE_AFTER_MS = 5_000;
/** SQLSTATE of a write to a read-only server. */
const READ_ONLY_STATE = '25006';
/** Limit of attempts for a transaction that keeps deadlocking. */
const MAX_TRANSACTION_RUNS = 4;

/**
 * Opens the pool and the ORM and checks that the server answers.
 *
 * Errors: DATABASE_UNAVAILABLE when it does not answer
 */
export async function connectDatabase(config: DatabaseConfig): Promise<Database> {
  const pools: DriverPool[] = [];
  const orm: MikroORM = new MikroORM(ormOptions(config, pools));
  try {
    const database = databaseOver(orm, pools, config);
    await database.ping();
    return database;
  } catch (error) {
    await orm.close(true);
    throw databaseFailure(error);
  }
}

/** `pools` collects the driver's pool as soon as it is created. */
function ormOptions(config: DatabaseConfig, pools: DriverPool[]): Options {
  const log = config.log ?? silentLog;
  return {
    clientUrl: config.url,
    entities: [...config.entities],
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
    // Concurrent statements on a connection are sent together (hot-sql.ts).
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    Client: clientsThatHear(clock, { answerTimeoutMs: statementTimeoutMs + CLIENT_MARGIN_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS }),
    // Configured before the first connection: on first use the ORM runs a query of its own.
    onPoolCreated(pool: DriverPool) {
      limitWaiting(pool, clock, CONNECT_TIMEOUT_MS);
      const types = pool.options.types;
      if (!isTypeReaders(types)) throw new TypeError('the driver takes no type readers');
      readAsNumbers(types);
      pools.push(pool);
    },
  };
}

function databaseOver(
  orm: MikroORM,
  pools: readonly DriverPool[],
  { clock = systemClock, isReplica = false }: Pick<DatabaseConfig, 'clock' | 'isReplica'>,
): Database {
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
    // Not the ORM's own transaction, which never releases a connection that breaks inside it.
    transaction: work => runAgainOnDeadlock(() => client.transaction().execute(trx => insideTransaction(orm, trx, work))),
    read: work => work(orm.em.fork()).catch((error: unknown) => Promise.reject(databaseFailure(error))),
    async ping() {
      const row = await pooled.first(
        sql<{ now: number; isWritable: boolean }>`select now() as now, current_setting('transaction_read_only') = 'off' as is_writable`,
      );
      if (row?.isWritable === false && !isReplica)
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

/** Members of JSON values keep the names they were stored with. */
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

/** No retry of single statements: the whole transaction is repeated. */
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
