import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { contactRepository } from '#contacts/contact-store.ts';
import { foldTallies } from '#campaigns/campaign-store.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { indexContacts } from '#contacts/contact-counts.ts';
import { listContacts, sliceContacts } from '#contacts/list-contacts.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';

let fresh: FreshDatabase;
let db: Database;
const CAMPAIGN = 1;
const OTHER = 2;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 30_000 });
  await db.run(sql`insert into campaign (name, business_code) values ('一', 'b'), ('二', 'b')`);
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const readingOf = (on: Database) => ({ db: on, contacts: contactRepository(on) });

interface Row {
  phoneNumber: string;
  customerName: string;
  remark: string;
}

async function load(campaignId: number, rows: readonly Row[]): Promise<void> {
  await db.run(sql`
    insert into contact (campaign_id, phone_number, dial_key, is_repeat, customer_name, remark, status)
    select ${campaignId}::int, "phoneNumber", "phoneNumber", true, "customerName", remark, case when n % 2 = 0 then 'failed' else 'pending' end
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ("phoneNumber" text, "customerName" text, remark text))
    with ordinality as r ("phoneNumber", "customerName", remark, n)`);
}

/** Deleting tens of thousands of contacts, each with its triggers, takes longer than a new campaign for the next ones. */
async function newCampaign(): Promise<number> {
  const row = await db.first(sql<{ id: number }>`insert into campaign (name, business_code) values ('大', 'b') returning id`);
  return row?.id ?? 0;
}

/** A plain implementation of D2.4: case is ignored, nothing else is. */
async function expected(q: string, campaignId = CAMPAIGN): Promise<number[]> {
  const rows = await db.rows(sql<Row & { id: number }>`
    select id, phone_number as "phoneNumber", customer_name as "customerName", remark from contact
    where campaign_id = ${campaignId} and deleted_at is null order by id desc`);
  const has = (text: string) => text.toLowerCase().includes(q.toLowerCase());
  return rows.filter(({ phoneNumber, customerName, remark }) => has(phoneNumber) || has(customerName) || has(remark)).map(({ id }) => id);
}

const LETTERS = ['1', '3', '8', '%', '_', '\\', 'a', 'A', '张', '伟', '重', ' ', '😀', "'"];
const text = (maxLength: number) => fc.array(fc.constantFrom(...LETTERS), { maxLength }).map(letters => letters.join(''));
const row = fc.record({ phoneNumber: text(8).map(more => `1${more}`), customerName: text(4), remark: text(6) });
/** Trimmed and not empty, like the input that the edge passes on. */
const needle = text(5)
  .map(found => found.trim())
  .filter(found => found !== '');

describe('a search of contacts', () => {
  test('finds and counts exactly the contacts that contain the text, after every change [D2.4, OCS 4.6]', async () => {
    // Kept over all changes, as in a server: its caches must not survive a change.
    const reading = readingOf(db);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.nat(5),
        fc.array(needle, { minLength: 4, maxLength: 8 }),
        fc.nat(24),
        async (rows, n, needles, indexed) => {
          await db.run(sql`delete from contact`);
          await load(CAMPAIGN, rows);
          await load(OTHER, rows);
          // Some are in the index, some are not yet.
          await indexContacts(db, indexed);
          await db.run(sql`update contact set customer_name = '张' || customer_name, remark = '' where id % 6 = ${n}`);
          await db.run(sql`update contact set deleted_at = now() where id % 5 = ${n}`);
          await db.run(sql`update contact set deleted_at = null where id % 10 = ${n}`);
          const check = async () => {
            for (const q of needles) {
              const found = await expected(q);
              const page = await listContacts(reading, CAMPAIGN, { q, status: null, page: 1, pageSize: 200 });
              expect([q, page.total, page.rows.map(({ id }) => id)]).toEqual([q, found.length, found]);
              const both = [OTHER, CAMPAIGN];
              const slices = await sliceContacts(reading, both, { q, status: null, limit: 200, beyond: null });
              const inOther = await expected(q, OTHER);
              expect(slices.map(({ rows: shown }) => shown.map(({ id }) => id))).toEqual([inOther, found]);
              expect(await reading.contacts.count(both, { q, status: null })).toEqual([inOther.length, found.length]);
              const failed = await listContacts(reading, CAMPAIGN, { q, status: 'failed', page: 1, pageSize: 200 });
              expect(failed.rows.map(({ id }) => id)).toEqual(
                found.filter(id => page.rows.some(each => each.id === id && each.status === 'failed')),
              );
              expect(failed.total).toBe(failed.rows.length);
            }
          };
          await check();
          await db.run(sql`update contact set status = case status when 'failed' then 'pending' else 'failed' end where id % 3 = 0`);
          await check();
          await db.transaction(foldTallies);
          while ((await indexContacts(db, 5)) > 0);
          await check();
          await db.run(sql`update contact set remark = '重' where id % 4 = ${n % 4}`);
          await db.run(sql`delete from contact where id % 7 = ${n}`);
          await check();
        },
      ),
      { numRuns: 25 },
    );
  });

  test('does not count again while the texts stay the same, whatever else changes [A9]', async () => {
    await db.run(sql`delete from contact`);
    await load(CAMPAIGN, [{ phoneNumber: '1381', customerName: '张', remark: '' }]);
    const reading = readingOf(db);
    const total = async (status: 'completed' | null = null) =>
      (await listContacts(reading, CAMPAIGN, { q: '3', status, page: 1, pageSize: 50 })).total;
    expect(await total()).toBe(1);
    expect(await total('completed')).toBe(0);
    const counting = await db.first(sql<{ source: string }>`
      select pg_get_functiondef('count_found_contacts'::regproc) as source`);
    await db.run(sql`
      create or replace function count_found_contacts(campaign int, q text, wanted_status text) returns bigint language plpgsql stable as
      'begin raise exception ''counted again''; end'`);
    try {
      await db.run(sql`update contact set status = 'completed'`);
      await load(OTHER, [{ phoneNumber: '1381', customerName: '张', remark: '' }]);
      expect(await total()).toBe(1);
      expect(await total('completed')).toBe(1);
      await db.run(sql`update contact set status = 'failed' where campaign_id = ${CAMPAIGN}`);
      expect(await total('completed')).toBe(0);
      // Moves are forgotten eventually.
      await db.run(sql`update contact_search_floor set xid = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8`);
      await expect(total('completed')).rejects.toThrow('counted again');
      await db.run(sql`update contact set remark = '重' where campaign_id = ${CAMPAIGN}`);
      await expect(total()).rejects.toThrow('counted again');
    } finally {
      await db.run(sql.raw(counting?.source ?? ''));
      await db.run(sql`update contact_search_floor set xid = '0'`);
    }
  });

  test('follows moves whose transaction was open when it counted, each once [A9]', async () => {
    await db.run(sql`delete from contact`);
    const rows = Array.from({ length: 6 }, (_, index) => ({ phoneNumber: `138${index}`, customerName: '', remark: '' }));
    await load(CAMPAIGN, rows);
    const reading = readingOf(db);
    const others = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 30_000 });
    const statuses = ['completed', 'pending', 'failed'] as const;
    const totals = () => Promise.all(statuses.map(async status => (await reading.contacts.count([CAMPAIGN], { q: '38', status }))[0]));
    const complete = (on: Pick<Database, 'run'>, index: number) =>
      on.run(sql`update contact set status = 'completed' where phone_number = ${`138${index}`}`);
    expect(await totals()).toEqual([0, 3, 3]);
    await others.transaction(async early => {
      await complete(early, 0);
      // A later transaction commits first, and is counted; the early one is not.
      await complete(others, 1);
      expect(await totals()).toEqual([1, 3, 2]);
    });
    expect(await totals()).toEqual([2, 2, 2]);
    expect(await totals()).toEqual([2, 2, 2]);
    await others.transaction(async undone => {
      await complete(undone, 2);
      await undone.run(sql`savepoint s`);
      await complete(undone, 3);
      await undone.run(sql`rollback to savepoint s`);
      expect(await totals()).toEqual([2, 2, 2]);
    });
    expect(await totals()).toEqual([3, 1, 2]);
    await others.close();
  });

  test('forgets moves when there are many, and counts again where they are missing', async () => {
    const campaign = await newCampaign();
    await load(
      campaign,
      Array.from({ length: 3_000 }, (_, index) => ({ phoneNumber: String(13_000_000_000 + index), customerName: '', remark: '' })),
    );
    const reading = readingOf(db);
    const failed = async () => (await reading.contacts.count([campaign], { q: '13', status: 'failed' }))[0];
    expect(await failed()).toBe(1_500);
    for (let turn = 0; turn < 4; turn++) {
      await db.run(
        sql`update contact set status = case status when 'failed' then 'pending' else 'failed' end where campaign_id = ${campaign}`,
      );
      await db.run(sql`update contact set status = 'failed' where campaign_id = ${campaign} and id = (select max(id) from contact)`);
    }
    await db.transaction(foldTallies);
    const [left] = await db.rows(sql<{ moves: number }>`select count(*) as moves from contact_search_move`);
    expect(left?.moves).toBeLessThan(10_000);
    const exact = await db.first(sql<{ total: number }>`
      select count(*) as total from contact where campaign_id = ${campaign} and status = 'failed' and deleted_at is null`);
    expect(await failed()).toBe(exact?.total);
  });

  test('does not match across two texts, nor the separator between them [D2.4]', async () => {
    await db.run(sql`delete from contact where campaign_id = ${CAMPAIGN}`);
    await load(CAMPAIGN, [
      { phoneNumber: '1381', customerName: '2345', remark: 'A\u0001b' },
      { phoneNumber: '1382', customerName: '', remark: 'a' },
    ]);
    const reading = readingOf(db);
    const totals = ['12345', '812', '1\u00012', '\u0001', 'a\u0001B', '1382\u0001', 'a'].map(async q => {
      const { total } = await listContacts(reading, CAMPAIGN, { q, status: null, page: 1, pageSize: 50 });
      return total;
    });
    expect(await Promise.all(totals)).toEqual([0, 0, 0, 1, 1, 0, 2]);
  });

  test('with many matches pages through all of them, newest first, near and far [D2.4, OCS 2.2]', async () => {
    const campaign = await newCampaign();
    const named = (index: number) => (index % 3 === 0 ? '重点客户' : '普通');
    await load(
      campaign,
      Array.from({ length: 18_000 }, (_, index) => ({
        phoneNumber: String(13_000_000_000 + index),
        customerName: named(index),
        remark: '',
      })),
    );
    while ((await indexContacts(db, 5_000)) > 0);
    await db.run(sql`analyze contact_search`);
    const found = await expected('重点客户', campaign);
    expect(found).toHaveLength(6_000);
    const reading = readingOf(db);
    for (const page of [1, 2, 3, 4, 30]) {
      const { rows, total } = await listContacts(reading, campaign, { q: '重点客户', status: null, page, pageSize: 200 });
      expect([page, total, rows.map(({ id }) => id)]).toEqual([page, found.length, found.slice((page - 1) * 200, page * 200)]);
    }
    // One letter is a scan from the nearer end; two letters are an entry of the index.
    for (const q of ['7', '99', '0a'])
      for (const page of [1, 2, 5, 7, 8]) {
        const all = await expected(q, campaign);
        const { rows, total } = await listContacts(reading, campaign, { q, status: null, page, pageSize: 50 });
        expect([q, page, total, rows.map(({ id }) => id)]).toEqual([q, page, all.length, all.slice((page - 1) * 50, page * 50)]);
      }
  });

  test('scans neither contacts nor their texts [A9]', async () => {
    const campaign = await newCampaign();
    await load(
      campaign,
      Array.from({ length: 20_000 }, (_, index) => ({
        phoneNumber: String(13_000_000_000 + index * 7_919),
        customerName: index % 10 === 0 ? '张三' : '李四',
        remark: index === 77 ? '重点客户' : '',
      })),
    );
    while ((await indexContacts(db, 5_000)) > 0);
    await db.run(sql`vacuum analyze contact`);
    await db.run(sql`vacuum analyze contact_search`);
    // One connection: a backend reports its own counters.
    const only = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 1, statementTimeoutMs: 30_000 });
    const scansBefore = await scans(only);
    const reading = readingOf(only);
    for (const q of ['130', '张', '张三', '重点客户', '1300', '13', '不存在']) {
      for (const status of [null, 'failed'] as const) await listContacts(reading, campaign, { q, status, page: 1, pageSize: 50 });
    }
    expect(await scans(only)).toEqual(scansBefore);
    await only.rows(sql`select count(*) from contact where remark = 'x'`);
    expect(await scans(only)).not.toEqual(scansBefore);
    await only.close();
  });

  test('writes no entry when a dial changes the contact, and nothing when it stays the same', async () => {
    const only = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 1, statementTimeoutMs: 30_000 });
    const before = await writes(only);
    for (let dial = 1; dial <= 3; dial++) {
      await only.run(sql`update contact set status = 'submitted', attempt_count = ${dial}, last_caller_number = '1' 
        where id % 500 = 0 and campaign_id = (select max(campaign_id) from contact)`);
    }
    const after = await writes(only);
    expect(after.rows - before.rows).toBe(40);
    expect(after.inPlace - before.inPlace).toBe(40);
    await only.close();
  });
});

/** Updated rows of the search, and how many of them were HOT updates. */
async function writes(only: Database): Promise<{ rows: number; inPlace: number }> {
  await only.rows(sql`select pg_stat_force_next_flush()`);
  const [row] = await only.rows(
    sql<{
      rows: number;
      inPlace: number;
    }>`select n_tup_upd as rows, n_tup_hot_upd as "inPlace" from pg_stat_user_tables where relname = 'contact_search'`,
  );
  return row ?? { rows: 0, inPlace: 0 };
}

async function scans(only: Database): Promise<unknown> {
  await only.rows(sql`select pg_stat_force_next_flush()`);
  return only.rows(sql`select relname, seq_scan from pg_stat_user_tables where relname in ('contact', 'contact_search') order by relname`);
}
