import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { migrationRig } from './migration-rig.ts';
import { addCampaign } from './dialling.ts';

const NAMES = ['20261125021500-one-person-one-contact', '20261125101900-one-key-of-a-contact'];

const rig = migrationRig(...NAMES);

/** Old rows: number, key in its campaign, key for do-not-call; new columns: the single key, and whether an earlier contact has it. */
const CONTACTS = [
  ['8613800138000', '8613800138000', '8613800138000', '13800138000', false],
  ['+8613800138000', '+8613800138000', '13800138000', '13800138000', true],
  ['13900139000', '13900139000', '13900139000', '13900139000', false],
  ['008613900139000', '008613900139000', '13900139000', '13900139000', true],
  ['861065529988', '861065529988', '861065529988', '861065529988', false],
] as const;

test('old contacts and do-not-call entries are compared like new ones, and no entry blocks for a shorter time [D6.1, D8.7]', async () => {
  const db = rig.db();
  await db.run(sql`alter table contact drop column is_repeat, add column number_key text`);
  await db.run(sql`create unique index contact_unique on contact (campaign_id, number_key) where deleted_at is null`);
  const campaign = await addCampaign(db);
  for (const [number, key, dialKey] of CONTACTS)
    await db.run(
      sql`insert into contact (campaign_id, phone_number, number_key, dial_key) values (${campaign}, ${number}, ${key}, ${dialKey})`,
    );
  await db.run(sql`insert into do_not_call (phone_number, dial_key, source, expires_at) values
    ('a', '8613800138000', 'manual', null), ('b', '13800138000', 'manual', '2030-01-01'),
    ('c', '8613900139000', 'manual', '2030-01-01'), ('d', '13900139000', 'manual', '2031-01-01')`);
  await rig.migrate();
  const contacts = await db.rows(
    sql<{
      phone: string;
      key: string;
      isRepeat: boolean;
    }>`select phone_number as phone, dial_key as key, is_repeat from contact order by id`,
  );
  expect(contacts.map(({ phone, key, isRepeat }) => [phone, key, isRepeat])).toEqual(
    CONTACTS.map(([number, , , key, isRepeat]) => [number, key, isRepeat]),
  );
  const again = db.run(sql`insert into contact (campaign_id, phone_number, dial_key) values (${campaign}, '86 138', '13800138000')`);
  await expect(again).rejects.toMatchObject({ constraint: 'contact_unique' });
  expect(await db.rows(sql`select phone_number as phone, dial_key as key from do_not_call order by id`)).toEqual([
    { phone: 'a', key: '13800138000' },
    { phone: 'd', key: '13900139000' },
  ]);
});
