import { MikroORM } from '@mikro-orm/postgresql';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type ListedMigration, MIGRATIONS } from '#migrations/list.ts';
import { databaseFailure } from './failures.ts';
import { businessZone, texts } from './values.ts';

/** Key for `pg_advisory_xact_lock`: servers that start concurrently migrate one after the other. */
const MIGRATION_LOCK = 7_225_538;
/** Time-out for the migrations of another server, ms. */
const LOCK_WAIT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The ORM's own table of applied migrations. */
const APPLIED_TABLE = 'mikro_orm_migrations';

/** The last migration of release 0.1.0. Up to it, they create the schema that `PREDECESSOR` had arrived at in other migrations. */
const FIRST_RELEASE = '20261129000700-contact-search';
/** The state of a database from before that release that is adopted: the commit, how many migrations it has, and the last two of them. */
const PREDECESSOR = { commit: 'c7f012ec', count: 46, last: ['20261128170000-heard-runtime', '20261128170000-kept-captions'] };

/** The database has a schema from which this version cannot continue. */
export class SchemaError extends Error {
  /** The step that the operator takes next; printed after the message. */
  readonly nextStep: string;

  constructor(message: string, nextStep: string) {
    super(message);
    this.nextStep = nextStep;
  }
}

/**
 * Brings the schema up to date, all or nothing; returns the names of the migrations applied. `timeZone`: the business time zone.
 *
 * Why:    migrations and their tooling are loaded only when the database lacks one
 * Errors: DATABASE_UNAVAILABLE; SchemaError for a database from before release 0.1.0 that is not in its last state
 */
export async function migrate(
  databaseUrl: string,
  timeZone?: string,
  migrations: readonly ListedMigration[] = MIGRATIONS,
): Promise<string[]> {
  const orm: MikroORM = new MikroORM({
    clientUrl: databaseUrl,
    driverOptions: {
      connectionString: databaseUrl,
      max: 3,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'callout migrate',
      options: businessZone(timeZone),
    },
    discovery: { warnWhenNoEntities: false },
    logger: () => undefined,
  });
  try {
    const applied = await appliedNames(orm.em.getConnection().getClient());
    return migrations.every(({ name }) => applied.has(name)) ? [] : await applyMissing(orm, migrations);
  } catch (error) {
    throw databaseFailure(error);
  } finally {
    await orm.close(true);
  }
}

async function appliedNames(on: QueryExecutorProvider): Promise<Set<string>> {
  const table = await sql<{ found: boolean }>`select to_regclass(${APPLIED_TABLE}) is not null as found`.execute(on);
  if (!table.rows[0]?.found) return new Set();
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(APPLIED_TABLE)}`.execute(on);
  return new Set(rows.map(row => row.name));
}

async function applyMissing(orm: MikroORM, migrations: readonly ListedMigration[]): Promise<string[]> {
  const { Migrator } = await import('@mikro-orm/migrations');
  const migrationsList = await Promise.all(migrations.map(async ({ name, load }) => ({ name, class: await load() })));
  orm.config.set('migrations', { ...orm.config.get('migrations'), migrationsList, snapshot: false, disableForeignKeys: false });
  return orm.em.getConnection().transactional(async transaction => {
    await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    await adoptPredecessor(transaction, migrations);
    const applied = await new Migrator(orm.em).up({ transaction });
    return applied.map(({ name }) => name);
  });
}

/**
 * Records the migrations of the first release, instead of running them, in a database that has their schema from before it.
 *
 * Why:    the earlier names remain, so servers of that commit can still restart beside this one
 * Errors: SchemaError for a database from before the first release that is not in its last state
 */
async function adoptPredecessor(on: QueryExecutorProvider, migrations: readonly ListedMigration[]): Promise<void> {
  const first = migrations.map(({ name }) => name).filter(name => name <= FIRST_RELEASE);
  const applied = await appliedNames(on);
  if (applied.size === 0 || first.some(name => applied.has(name))) return;
  const { commit, count, last } = PREDECESSOR;
  if (applied.size !== count || !last.every(name => applied.has(name))) {
    throw new SchemaError(
      `it is from before release 0.1.0 and has ${applied.size} migrations, not exactly the ${count} of commit ${commit}`,
      `start a server of commit ${commit} on it once, then this one again`,
    );
  }
  await sql`insert into ${sql.table(APPLIED_TABLE)} (name) select unnest(${texts(first)})`.execute(on);
}
