import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { type RawBuilder, sql } from 'kysely';
import { isCalloutError } from '#kernel/errors.ts';
import { type ListedMigration, MIGRATIONS } from '#migrations/list.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate, SchemaError } from '#platform/postgres/migrate.ts';
import { emptyDatabase, type FreshDatabase } from '#test/support/database.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);
const FIRST_RELEASE = MIGRATIONS.filter(({ name }) => name <= '20261129000700-contact-search');

/** A migration that no release has, later than all others. */
class AddProof extends Migration {
  override up(): void {
    this.addSql('alter table business add column proof int');
  }
}
const LATER: ListedMigration = { name: '29991231000000-proof', load: () => Promise.resolve(AddProof) };

/** Names of the table of applied migrations at commit c7f012ec; only the last two matter. */
const BEFORE = [
  ...Array.from({ length: 44 }, (_, index) => `20261121${String(index).padStart(6, '0')}-earlier`),
  '20261128170000-heard-runtime',
  '20261128170000-kept-captions',
];

let fresh: FreshDatabase;
let db: Database;
const use = async (database: FreshDatabase) => {
  fresh = database;
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 60_000 });
};
afterEach(async () => {
  await db.close();
  await fresh.drop();
});

const appliedNames = async () =>
  (await db.rows(sql<{ name: string }>`select name from mikro_orm_migrations order by id`)).map(({ name }) => name);

describe('migrate', () => {
  beforeEach(async () => use(await emptyDatabase()));

  test('servers that start at once apply every migration once', async () => {
    const applied = await Promise.all([migrate(fresh.url), migrate(fresh.url), migrate(fresh.url)]);
    expect(applied.flat()).toEqual(NAMES);
    await expect(migrate(fresh.url)).resolves.toEqual([]);
  });

  test('applies what is missing, all or nothing', async () => {
    class Fail extends Migration {
      override up(): void {
        this.addSql('create table half_done (id int)');
        this.addSql('select no_such_column from business');
      }
    }
    await migrate(fresh.url);
    const failing = [...MIGRATIONS, LATER, { name: '29991231000001-fails', load: () => Promise.resolve(Fail) }];
    await expect(migrate(fresh.url, undefined, failing)).rejects.toThrow('no_such_column');
    expect(await appliedNames()).toEqual(NAMES);
    await expect(migrate(fresh.url, undefined, [...MIGRATIONS, LATER])).resolves.toEqual([LATER.name]);
    expect(await appliedNames()).toEqual([...NAMES, LATER.name]);
  });

  test('leaves a database of a later version as it is, so that servers of both run side by side', async () => {
    await migrate(fresh.url, undefined, [...MIGRATIONS, LATER]);
    await expect(migrate(fresh.url)).resolves.toEqual([]);
    expect(await appliedNames()).toEqual([...NAMES, LATER.name]);
  });

  test('an unreachable server is DATABASE_UNAVAILABLE', async () => {
    const url = new URL(fresh.url);
    url.port = '1';
    const error = await migrate(url.href).catch((thrown: unknown) => thrown);
    expect(isCalloutError(error, 'DATABASE_UNAVAILABLE')).toBe(true);
  });

  // A database of that commit is adopted as it stands, so these migrations must never create anything else: a change of the schema is a
  // migration of its own. The values are counts and digests of what the migrations of that commit created.
  test('the migrations of release 0.1.0 create the schema of commit c7f012ec', async () => {
    await migrate(fresh.url, undefined, FIRST_RELEASE);
    const digests = Object.entries(CATALOGUE).map(async ([kind, lines]) => {
      const rows = await db.rows(sql<{ line: string }>`select line from (${lines}) as of_kind (line) order by line collate "C"`);
      const text = rows.map(({ line }) => line).join('\n');
      return [kind, `${rows.length} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`];
    });
    expect(Object.fromEntries(await Promise.all(digests))).toEqual({
      tables: '55 90c6dc5bc52e05cc',
      columns: '378 880dae6ea6d8aa0d',
      constraints: '100 a135b4971ed53e58',
      indexes: '133 3590f5bdc8357599',
      triggers: '33 a88dca03511109e3',
      functions: '20 899cc2e50f397a44',
    });
  });
});

const OURS = sql`c.relnamespace = 'public'::regnamespace and c.relname not like 'mikro_orm_migrations%'`;

/** A line for each part of the schema. */
const CATALOGUE: Record<string, RawBuilder<unknown>> = {
  tables: sql`select concat_ws(' ', c.relname, c.relkind, c.reloptions::text) from pg_class c where c.relkind in ('r', 'S', 'v') and ${OURS}`,
  columns: sql`
    select concat_ws(' ', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and ${OURS}`,
  constraints: sql`
    select concat_ws(' ', c.relname, k.conname, pg_get_constraintdef(k.oid)) from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype in ('c', 'f', 'p', 'u') and ${OURS}`,
  indexes: sql`select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid where ${OURS}`,
  triggers: sql`select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and ${OURS}`,
  functions: sql`select pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = 'public'::regnamespace`,
};

describe('a database from before release 0.1.0', () => {
  beforeEach(async () => {
    await use(await emptyDatabase());
    await migrate(fresh.url, undefined, FIRST_RELEASE);
    await db.run(sql`delete from mikro_orm_migrations`);
  });

  const had = (names: readonly string[]) =>
    db.run(
      sql`insert into mikro_orm_migrations (name) select name from unnest(array[${sql.join(names)}]::text[]) with ordinality as n (name, place) order by place`,
    );

  test('of its last state is adopted by servers that start at once: the first migrations are recorded and only later ones run', async () => {
    await had(BEFORE);
    await db.run(sql`insert into business (business_code, business_name) values ('visit', '回访')`);
    const start = () => migrate(fresh.url, undefined, [...MIGRATIONS, LATER]);
    const applied = await Promise.all([start(), start(), start()]);
    expect(applied.flat()).toEqual([...NAMES.slice(FIRST_RELEASE.length), LATER.name]);
    expect(await appliedNames()).toEqual([...BEFORE, ...NAMES, LATER.name]);
    expect(await db.rows(sql`select business_code as code, proof from business`)).toEqual([{ code: 'visit', proof: null }]);
  });

  test.each([
    ['an older state', BEFORE.slice(0, -1)],
    ['a state that lacks an earlier migration', BEFORE.slice(1)],
    ['a state that no commit had', [...BEFORE, '20261128180000-of-a-branch']],
  ])('of %s is refused, naming the commit that brings it to the last one', async (_, names) => {
    await had(names);
    const error = await migrate(fresh.url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({
      message: expect.stringContaining(`${names.length} migrations`),
      nextStep: expect.stringContaining('c7f012ec'),
    });
    expect(await appliedNames()).toEqual(names);
  });
});
