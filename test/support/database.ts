import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { serviceAddress } from './service-address.ts';

export interface FreshDatabase {
  url: string;
  /** Closes the connections of the database and drops it. */
  drop(): Promise<void>;
}

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** Advisory lock that serialises creation of the template among Jest's workers; any number that the product does not lock. */
const TEMPLATE_LOCK = 715_517_001;

/**
 * Creates an empty, migrated database for one test file.
 *
 * Why: it is copied from a template, which is migrated once per set of migrations, so it takes tens of milliseconds
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { migrate } = await import('#platform/postgres/migrate.ts');
  return withServer(async sql => {
    const template = `callout_template_${hashOfMigrations()}`;
    await sql(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    const made = await sql(`select 1 from pg_database where datname = '${template}'`);
    if (made.length === 0) await makeTemplate(sql, template, migrate);
    const name = `callout_test_${randomUUID().replaceAll('-', '')}`;
    // PostgreSQL copies a template only while it has no other connections, so the copy holds the lock too.
    await sql(`create database ${name} template ${template}`);
    await sql(`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
    return { url: databaseUrl(name), drop: () => dropDatabase(name) };
  });
}

/** Creates a database without tables, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return withServer(async sql => {
    const name = `callout_test_${randomUUID().replaceAll('-', '')}`;
    await sql(`create database ${name} template template0`);
    return { url: databaseUrl(name), drop: () => dropDatabase(name) };
  });
}

type Sql = (statement: string) => Promise<unknown[]>;

/** Migrates under a temporary name first, so that an aborted run leaves no incomplete template. */
async function makeTemplate(sql: Sql, template: string, migrate: (url: string) => Promise<unknown>): Promise<void> {
  const unfinished = `${template}_unfinished`;
  await sql(`drop database if exists ${unfinished} with (force)`);
  await sql(`create database ${unfinished} template template0`);
  await migrate(databaseUrl(unfinished));
  await sql(`alter database ${unfinished} rename to ${template}`);
}

function dropDatabase(name: string): Promise<void> {
  return withServer(async sql => {
    await sql(`drop database if exists ${name} with (force)`);
  });
}

async function withServer<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const orm = await MikroORM.init({
    clientUrl: serviceAddress('CALLOUT_DATABASE_URL'),
    entities: [],
    discovery: { warnWhenNoEntities: false },
    // The advisory lock belongs to a session, so all statements must share one connection.
    pool: { min: 1, max: 1 },
  });
  try {
    return await work(statement => orm.em.getConnection().execute(statement));
  } finally {
    await orm.close(true);
  }
}

function databaseUrl(name: string): string {
  const url = new URL(serviceAddress('CALLOUT_DATABASE_URL'));
  url.pathname = `/${name}`;
  return url.href;
}

function hashOfMigrations(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).sort()) hash.update(file).update(readFileSync(join(MIGRATIONS, file)));
  return hash.digest('hex').slice(0, 16);
}
