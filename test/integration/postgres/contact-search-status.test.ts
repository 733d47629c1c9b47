import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { contactRepository } from '#contacts/contact-repository.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { indexContacts } from '#contacts/index-contacts.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { addCampaign } from './dialling.ts';

const NAMES = ['20261125091600-contact-search-status', '20261125183800-contact-search-moves'];

let fresh: FreshDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ url: fresh.url, poolSize: 2, statementTimeoutMs: 60_000 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

/** The table of an earlier version, with its rows. */
const BEFORE = [
  `drop table contact_search`,
  `create table contact_search (campaign_id int not null, contact_id bigint not null, texts text[] not null,
     letters text not null generated always as (lower(texts[1]) || E'\\x01' || lower(texts[2]) || E'\\x01' || lower(texts[3])) stored,
     is_indexed boolean not null default true, primary key (campaign_id, contact_id))`,
  `insert into contact_search (campaign_id, contact_id, texts)
   select campaign_id, id, array[phone_number, customer_name, remark] from contact where deleted_at is null`,
  `drop table contact_search_move, contact_search_floor`,
  `drop function search_follows(text), search_moved(int, text, text, text)`,
];

test('contacts of an earlier version are found by text and status, before and after they enter the index [D2.4, OCS 4.6]', async () => {
  const campaign = await addCampaign(db);
  await db.run(sql`
    insert into contact (campaign_id, phone_number, dial_key, customer_name, remark, status, deleted_at)
    select ${campaign}::int, number, number, '张三', 'VIP', case when g % 3 = 0 then 'failed' else 'pending' end, case when g = 9 then now() end
    from (select g, (13800000000 + g)::text as number from generate_series(1, 30) as g) as made`);
  for (const statement of BEFORE) await db.run(sql.raw(statement));
  await db.run(sql`delete from mikro_orm_migrations where name in (${sql.join(NAMES)})`);
  expect(await migrate(fresh.url)).toEqual(NAMES);
  const found = async () => {
    const contacts = contactRepository(db);
    const totals = await Promise.all(
      ['张', 'vip', '38', '13800000030'].flatMap(q => [null, 'failed' as const].map(status => contacts.count([campaign], { q, status }))),
    );
    return totals.flat();
  };
  expect(await found()).toEqual([29, 9, 29, 9, 29, 9, 1, 1]);
  expect(await indexContacts(db, 100)).toBe(29);
  expect(await found()).toEqual([29, 9, 29, 9, 29, 9, 1, 1]);
  await db.run(sql`update contact set status = 'completed' where phone_number = '13800000030'`);
  expect(await found()).toEqual([29, 8, 29, 8, 29, 8, 1, 0]);
});
