import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { isUniqueViolation } from '#platform/postgres/failures.ts';
import { emptyDatabase, type FreshDatabase } from '#test/support/database.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await emptyDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  await db.run(sql`create table thing (id int primary key, its_name text not null)`);
});

afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const add = (id: number) => sql`insert into thing (id, its_name) values (${id}::int, 'thing')`;
const names = (from: number) => sql<{ id: number; itsName: string }>`select id, its_name from thing where id >= ${from}::int order by id`;
const count = (from: number) => db.hot.rows(names(from)).then(rows => rows.length);

test('columns have the names of records, and a statement can be repeated with other values', async () => {
  await db.hot.rows(add(1));
  expect(await db.hot.rows(names(1))).toEqual([{ id: 1, itsName: 'thing' }]);
  expect(await db.hot.rows(names(2))).toEqual([]);
});

describe('a transaction in steps', () => {
  test('each statement of a step sees the writes of the one before it, and the last step commits', async () => {
    const found = await db.hot.transaction(async tx => {
      const [, rows] = await tx.step(add(11), names(11));
      await tx.last(add(12));
      return rows;
    });
    expect(found).toEqual([{ id: 11, itsName: 'thing' }]);
    expect(await count(11)).toBe(2);
  });

  test('by key one plan serves every list, in this transaction only', async () => {
    const mode = sql<{ mode: string }>`select current_setting('plan_cache_mode') || ' ' || current_setting('enable_seqscan') as mode`;
    const inside = await db.hot.transaction(async tx => (await tx.step(mode))[0], { byKey: true });
    expect(inside).toEqual([{ mode: 'force_generic_plan off' }]);
    expect(await db.hot.rows(mode)).toEqual([{ mode: 'auto on' }]);
  });

  test('without a last step it commits when its work is done', async () => {
    await db.hot.transaction(tx => tx.step(add(21)));
    expect(await count(21)).toBe(1);
  });

  test('a failing statement rolls back earlier and later ones of the step, and is the error', async () => {
    const failed = await db.hot.transaction(tx => tx.last(add(31), add(31), add(32))).catch((error: unknown) => error);
    expect(isUniqueViolation(failed)).toBe(true);
    expect(await count(31)).toBe(0);
  });

  test('an error thrown by its work rolls it back', async () => {
    const work = db.hot.transaction(async tx => {
      await tx.step(add(41));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await count(41)).toBe(0);
  });

  test('a last step after a swallowed failure does not count as a commit', async () => {
    const work = db.hot.transaction(async tx => {
      await tx.step(add(51), add(51)).catch(() => undefined);
      await tx.last();
    });
    await expect(work).rejects.toThrow('not committed');
    expect(await count(51)).toBe(0);
  });

  test('a deadlock repeats its work', async () => {
    let runs = 0;
    await db.hot.transaction(async tx => {
      runs += 1;
      await tx.step(add(61));
      const fail = sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`;
      await (runs === 1 ? tx.last(fail) : tx.last());
    });
    expect([runs, await count(61)]).toEqual([2, 1]);
  });
});

test('a statement whose table was changed after its preparation is prepared again', async () => {
  const all = sql`select * from thing where id = ${1}::int`;
  expect(await db.hot.rows(all)).toEqual([{ id: 1, itsName: 'thing' }]);
  await db.run(sql`alter table thing add column more int`);
  expect(await db.hot.rows(all)).toEqual([{ id: 1, itsName: 'thing', more: null }]);
});
