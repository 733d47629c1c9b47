import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database, type Sql } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { auditList, type AuditSearch } from '#audit/audit-store.ts';
import { readPage, readSlice } from '#platform/postgres/listing.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { explaining } from '#test/support/explaining.ts';

/** One per minute. */
const ROWS = 100_000;
const LOAD_TIMEOUT_MS = 120_000;
const NEWEST_AT = Date.UTC(2026, 9, 1);
const minutesAgo = (minutes: number) => NEWEST_AT - minutes * 60_000;

let fresh: FreshDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 4, statementTimeoutMs: LOAD_TIMEOUT_MS });
  await db.run(sql`
    insert into audit_log (actor_id, actor_name, action, target_type, target_id, summary, created_at)
    select g % 50, case when g % 1000 = 0 then 'internal' else 'u' || g % 50 end,
      case when g % 5000 = 0 then 'user.deleted' when g % 2 = 0 then 'contact.updated' else 'line.updated' end,
      case when g % 2 = 0 then 'contact' else 'line' end, (g % 2000)::text, 's',
      to_timestamp(${NEWEST_AT}::float8 / 1000) - (${ROWS}::int - g) * interval '1 minute'
    from generate_series(1, ${ROWS}::int) as g`);
  await db.run(sql`analyze audit_log`);
}, LOAD_TIMEOUT_MS);
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const FILTERS: readonly [string, Omit<AuditSearch, 'q'>][] = [
  ['nothing', {}],
  ['the actor', { actorId: 7 }],
  ["the actor's name", { actorName: 'internal' }],
  ['a rare action', { action: 'user.deleted' }],
  ['a common action', { action: 'contact.updated' }],
  ['the target', { targetType: 'contact', targetId: '18' }],
  ['the beginning', { from: minutesAgo(100) }],
  ['the end', { to: minutesAgo(90_000) }],
  ['a window long ago', { from: minutesAgo(99_000), to: minutesAgo(90_000) }],
  ['everything at once', { actorId: 18, action: 'contact.updated', targetType: 'contact', targetId: '18', from: minutesAgo(50_000) }],
];

test.each(FILTERS)('a page by %s uses an index, in REST and in GraphQL [D3.7]', async (_name, filter) => {
  const { db: watched, planned } = explaining(db);
  const page = await readPage({ db: watched }, auditList, { page: 1, pageSize: 50, q: '', ...filter });
  const slice = await readSlice({ db: watched }, auditList, { limit: 50, beyond: null, q: '', ...filter });
  expect(slice.rows).toEqual(page.rows);
  expect(page.rows.length).toBeGreaterThan(0);
  const pages = planned.filter(({ statement }) => !statement.includes('count(*)'));
  expect(pages).toHaveLength(2);
  for (const { scanned, indexes } of pages) expect([scanned, indexes.length > 0]).toEqual([[], true]);
});

test('a window long ago reads its own rows only, not later ones [D3.7]', async () => {
  const search: AuditSearch = { q: '', from: minutesAgo(99_000), to: minutesAgo(90_000) };
  const read = await db.transaction(async tx => {
    const before = await rowsRead(tx);
    await readSlice({ db: tx }, auditList, { limit: 50, beyond: null, ...search });
    return (await rowsRead(tx)) - before;
  });
  expect(read).toBeLessThan(200);
});

async function rowsRead(of: Sql): Promise<number> {
  const row = await of.first(sql<{ read: number }>`
    select (idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'audit_log'`);
  return row?.read ?? 0;
}
