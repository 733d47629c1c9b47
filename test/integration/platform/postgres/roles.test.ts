import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { findPostgresFolder } from '#tools/services/binaries.ts';
import { MIGRATIONS } from '#migrations/list.ts';
import { type DispatchRig, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';

// Roles belong to the whole cluster, so this file has one of its own.

const ROLES = join(import.meta.dirname, '../../../../docker/postgres/roles.sql');
const PASSWORDS = { DATABASE_OWNER_PASSWORD: `own'er`, DATABASE_APP_PASSWORD: 'app' };
const STATEMENT_TIMEOUT_MS = 20_000;

let postgres: PrivateService;
beforeAll(async () => {
  postgres = await startPrivateService('postgres');
});
afterAll(() => postgres.stop());

/** Runs the script like PostgreSQL's image in a new database: with psql, as the superuser. */
async function makeRoles(database: string, env: NodeJS.ProcessEnv = PASSWORDS): Promise<void> {
  const psql = join(findPostgresFolder(process.env) ?? '', 'psql');
  await promisify(execFile)(psql, ['--no-psqlrc', '-q', '-d', urlOf(database), '-f', ROLES], {
    env: { PATH: process.env['PATH'], ...env },
  });
}

function urlOf(database: string, user?: 'callout_owner' | 'callout_app'): string {
  const url = new URL(postgres.url);
  url.pathname = `/${database}`;
  if (user) {
    url.username = user;
    url.password = encodeURIComponent(user === 'callout_owner' ? PASSWORDS.DATABASE_OWNER_PASSWORD : PASSWORDS.DATABASE_APP_PASSWORD);
  }
  return url.href;
}

async function open(database: string, user?: 'callout_owner' | 'callout_app'): Promise<Database> {
  return connectDatabase({ entities: ENTITIES, url: urlOf(database, user), poolSize: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
}

async function as<T>(database: string, user: 'callout_owner' | 'callout_app' | undefined, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await open(database, user);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const makeDatabase = (name: string) => as('callout', undefined, db => db.run(sql`create database ${sql.id(name)} template template0`));

describe('the shipped database roles', () => {
  let rig: DispatchRig;
  let app: Database;
  beforeAll(async () => {
    await makeDatabase('product');
    await makeRoles('product');
    rig = await startDispatchRig({
      config: { database: { url: urlOf('product', 'callout_app'), migrationUrl: urlOf('product', 'callout_owner'), migrateOnStart: true } },
    });
    app = rig.server.running.context.database;
  }, 60_000);
  afterAll(() => rig.close());

  test('the owner has migrated, and owns every table; the server uses the other role', async () => {
    const owners = await app.rows(sql<{ owner: string }>`select distinct tableowner as owner from pg_tables where schemaname = 'public'`);
    const applied = await app.rows(sql<{ name: string }>`select name from mikro_orm_migrations order by id`);
    const user = await app.first(sql<{ name: string }>`select current_user as name`);
    expect({ owners, applied: applied.map(({ name }) => name), user }).toEqual({
      owners: [{ owner: 'callout_owner' }],
      applied: MIGRATIONS.map(({ name }) => name),
      user: { name: 'callout_app' },
    });
  });

  test('the server’s role can change rows in every table', async () => {
    const lacking = await app.rows(sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and (
        relkind = 'r' and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
          and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
        or relkind = 'S' and not has_sequence_privilege(oid, 'usage'))`);
    expect(lacking).toEqual([]);
  });

  test('a campaign runs to completion', async () => {
    const { id } = await rig.campaign({ contacts: ['13900000001', '13900000002', '13900000003'], maxRetries: 0 });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(await rig.attempts(id)).toHaveLength(3);
    const { data } = await rig.ask('GET', `/api/campaigns/${id}/contacts?q=139`);
    expect(data.total).toBe(3);
  });

  test('events are acknowledged, which uses a sequence', async () => {
    const event = await app.first(sql<{ id: number }>`
      insert into runtime_event (level, type, title, message) values ('warning', 'cell.down', '交换机', '不可达') returning id`);
    expect((await rig.ask('PATCH', `/api/runtime/events/${event?.id}/acknowledge`)).status).toBe(200);
  });

  test.each([
    ['make a table', 'create table of_its_own (id int)'],
    ['make a temporary table', 'create temporary table of_its_own (id int)'],
    ['make a schema', 'create schema of_its_own'],
    ['make a function', `create function of_its_own() returns int language sql as 'select 1'`],
    ['replace a function', `create or replace function epoch_ms(at timestamptz) returns bigint language sql as 'select 1::bigint'`],
    ['make a trigger', 'create trigger of_its_own before update on contact for each row execute function touch_row()'],
    ['change a table', 'alter table contact disable trigger all'],
    ['drop a table', 'drop table audit_log'],
    ['empty a table at once', 'truncate audit_log'],
    ['rise', 'alter role callout_app superuser'],
    ['let others rise', 'alter role callout_owner superuser'],
    ['become the owner', 'set role callout_owner'],
    ['make a role', 'create role of_its_own'],
    ['make a database', 'create database of_its_own'],
    ['make an extension', 'create extension dblink'],
    ['run a program', `copy contact to program 'cat'`],
    ['write a file', `copy contact to '/tmp/of-its-own'`],
    ['read a file', `select pg_read_file('/etc/passwd')`],
    ['change the server', 'alter system set log_statement = none'],
    ['end other sessions', `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'callout'`],
  ])('the server’s role may not %s', async (_, statement) => {
    // A superuser connection exists meanwhile, as a target for the statement that ends connections.
    const refusal = await as('product', undefined, () => app.run(sql.raw(statement)).catch((error: unknown) => error));
    expect(refusal).toMatchObject({ code: '42501' });
  });
});

test('the script can run again, with other passwords, and after a migration by a superuser', async () => {
  await makeDatabase('older');
  const older = urlOf('older');
  await migrate(older);
  await makeRoles('older');
  await makeRoles('older');
  await expect(migrate(urlOf('older', 'callout_owner'))).resolves.toEqual([]);
  await as('older', 'callout_owner', db => db.run(sql`alter table contact add column proof int`));
  await as('older', 'callout_app', db => db.run(sql`insert into campaign (name, business_code) values ('回访', 'visit')`));
  const refusal = await as('older', 'callout_app', db => db.run(sql`drop function epoch_ms`).catch((error: unknown) => error));
  expect(refusal).toMatchObject({ code: '42501' });
});

test('the script creates no role without a password', async () => {
  await makeDatabase('unnamed');
  await expect(makeRoles('unnamed', {})).rejects.toThrow(/syntax error[^]*:'owner_pa/);
});
