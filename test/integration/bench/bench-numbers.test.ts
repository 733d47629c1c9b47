import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertDialLoad, insertRules } from '#bench/dispatch/dial-load.ts';
import { loadRows } from '#bench/lists/load-rows.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';

// Measurements of benches are only meaningful when their rows collide like those of the program.

const LOAD_TIMEOUT_MS = 120_000;
/** One in twenty is on the do-not-call list. */
const CONTACTS = 30_000;
let fresh: FreshDatabase;
let db: Database;
let campaignId: number;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 4, statementTimeoutMs: LOAD_TIMEOUT_MS });
  await insertRules(db);
  ({ campaignId } = await insertDialLoad(db, CONTACTS));
  await loadRows(db, { contacts: 1_000, attempts: 100, print: () => undefined });
}, LOAD_TIMEOUT_MS);
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

test('rows written by benches have the keys by which the program compares numbers [D8.7]', async () => {
  for (const table of ['contact', 'do_not_call', 'attempt']) {
    const rows = await db.rows(
      sql<{ number: string; key: string }>`select phone_number as number, dial_key as key from ${sql.table(table)}`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(100);
    expect(rows.filter(({ number, key }) => key !== dialKey(number, 'CN')).slice(0, 3)).toEqual([]);
  }
  const listed = await db.first(sql<{ count: number }>`select count(*) as count from contact c join do_not_call d using (dial_key)`);
  expect(Number(listed?.count)).toBeGreaterThan(1_000);
});

test('the campaign that the dispatch bench dials may dial: its runtime brings the call flow [D5.6]', async () => {
  expect(await dialStore(db).loadPlan(campaignId)).toMatchObject({ script: null, runtimeBringsFlow: true });
});
