import { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { MIGRATIONS } from '#migrations/list.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { databaseFailure } from './failures.ts';
import { businessZone } from './values.ts';

/** Key for `pg_advisory_xact_lock`: servers that start concurrently migrate one after the other. */
const MIGRATION_LOCK = 7_225_538;
/** Time-out for the migrations of another server, ms. */
const LOCK_WAIT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The ORM's own table of applied migrations. */
const APPLIED_TABLE = 'mikro_orm_migrations';

/**
 * Brings the schema up to date, all or nothing; returns the names of the migrations applied. `timeZone`: the business time zone; `region`:
 * default for numbers without a country code.
 *
 * Why:    migrations and their tooling are loaded only when the database lacks one
 * Errors: DATABASE_UNAVAILABLE
 */
export async function migrate(databaseUrl: string, timeZone?: string, region?: Region): Promise<string[]> {
  const orm: MikroORM = new MikroORM({
    clientUrl: databaseUrl,
    driverOptions: {
      connectionString: databaseUrl,
      max: 3,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'callout migrate',
      options: `${businessZone(timeZone)}${region === undefined ? '' : ` -c callout.region=${region}`}`,
    },
    discovery: { warnWhenNoEntities: false },
    logger: () => undefined,
  });
  try {
    const applied = await appliedNames(orm);
    return MIGRATIONS.every(({ name }) => applied.has(name)) ? [] : await applyMissing(orm);
  } catch (error) {
    throw databaseFailure(error);
  } finally {
    await orm.close(true);
  }
}

async function appliedNames(orm: MikroORM): Promise<Set<string>> {
  const client = orm.em.getConnection().getClient();
  const table = await sql<{ found: boolean }>`select to_regclass(${APPLIED_TABLE}) is not null as found`.execute(client);
  if (!table.rows[0]?.found) return new Set();
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(APPLIED_TABLE)}`.execute(client);
  return new Set(rows.map(row => row.name));
}

async function applyMissing(orm: MikroORM): Promise<string[]> {
  const { Migrator } = await import('@mikro-orm/migrations');
  const migrationsList = await Promise.all(MIGRATIONS.map(async ({ name, load }) => ({ name, class: await load() })));
  orm.config.set('migrations', { ...orm.config.get('migrations'), migrationsList, snapshot: false, disableForeignKeys: false });
  return orm.em.getConnection().transactional(async transaction => {
    await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(transaction);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    const applied = await new Migrator(orm.em).up({ transaction });
    return applied.map(({ name }) => name);
  });
}
