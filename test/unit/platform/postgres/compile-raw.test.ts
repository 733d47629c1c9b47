import { expect, test } from '@jest/globals';
import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { compileRaw } from '#platform/postgres/hot-sql.ts';

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
});

const condition = sql`a.id = ${7} and a.name = ${null}`;
const statements: [string, RawBuilder<unknown>][] = [
  ['text alone', sql`select 1`],
  ['values, one inside the other', sql`select ${'x'} from attempt a where ${condition} and ${condition} limit ${2}`],
  ['a list', sql`select ${sql.join([1, sql`now()`, false], sql` or `)}`],
  ['names', sql`select ${sql.ref('a.campaignId')}, ${3}, ${sql.lit('it')} from ${sql.table('attempt')} a`],
];

test.each(statements)('%s: the same SQL as from the query builder', (_what, statement) => {
  const { sql: text, parameters } = statement.compile(compiler);
  expect(compileRaw(statement, compiler)).toMatchObject({ sql: text, parameters });
});
