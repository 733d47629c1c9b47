import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ENTITIES } from '#app/connect.ts';
import { insertContacts } from '#contacts/contact-store.ts';
import { parseContact } from '#contacts/contact.ts';
import { standingInCampaign } from '#lists/known-rows.ts';
import { connectDatabase, type Database, type Sql } from '#platform/postgres/database.ts';
import { type FreshDatabase, freshDatabase } from '#test/support/database.ts';
import { insertCampaign } from '#test/support/rows.ts';

const KNOWN = 10_000;
const ASKED = 500;
/** Lookups of one row: by its external id, and by its number. */
const LOOKUPS = 3;

let fresh: FreshDatabase;
let db: Database;
let campaignId: number;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 60_000 });
  // Without autovacuum the planner has no statistics, as during an import that is still filling the table.
  await db.run(sql`alter table contact set (autovacuum_enabled = false)`);
  await db.run(sql`alter table contact_number set (autovacuum_enabled = false)`);
  campaignId = await insertCampaign(db);
  await db.transaction(tx => insertContacts(tx, campaignId, contacts(0, KNOWN), { admit: () => undefined, holdsStatus: false }));
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const contacts = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    parseContact(
      {
        phoneNumber: `138${String(from + index).padStart(8, '0')}`,
        customerName: '客户',
        remark: '',
        timeZone: '',
        externalId: `C-${from + index}`,
        metadata: {},
        numbers: [],
      },
      'CN',
    ),
  );

/** Rows of contacts that the transaction has read so far. */
async function rowsRead(tx: Sql): Promise<number> {
  const row = await tx.first(sql<{ read: number }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables where relname = 'contact'`);
  return row?.read ?? 0;
}

test('each row of an import is looked up by itself, also in a table that has just grown [D6.9]', async () => {
  await db.transaction(async tx => {
    expect(new Set(await standingInCampaign(tx, campaignId, contacts(0, ASKED)))).toEqual(new Set(['same']));
    expect(await rowsRead(tx)).toBeLessThanOrEqual(ASKED * LOOKUPS);
  });
});

test('and when it is added [D6.9]', async () => {
  await db.transaction(async tx => {
    await insertContacts(tx, campaignId, contacts(KNOWN, ASKED), { admit: () => undefined, holdsStatus: false });
    expect(await rowsRead(tx)).toBeLessThanOrEqual(ASKED * LOOKUPS);
  });
});
