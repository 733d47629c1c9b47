import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { addCampaign } from './dialling.ts';
import { migrationRig } from './migration-rig.ts';

const rig = migrationRig('20261128100000-one-key-of-a-number');

test('old rows get the key that the program forms; one contact per person and campaign remains, and an event names the others [D6.1, D8.7]', async () => {
  const db = rig.db();
  const campaign = await addCampaign(db);
  const other = await addCampaign(db);
  const contact = async (campaignId: number, number: string, key: string, status = 'pending', attempts = 0) =>
    (await db.first(sql<{ id: number }>`
      insert into contact (campaign_id, phone_number, dial_key, status, attempt_count)
      values (${campaignId}, ${number}, ${key}, ${status}, ${attempts}) returning id`))!.id;
  const plain = await contact(campaign, '13800006100', '13800006100');
  const trunk = await contact(campaign, '013800006100', '013800006100', 'failed', 2);
  const elsewhere = await contact(other, '+86(0)138 0000 6100', '013800006100');
  const fixed = await contact(campaign, '021-12345678', '02112345678');
  const reached = await contact(campaign, '+862112345678', '2112345678', 'completed', 1);
  const busy = await contact(campaign, '17951 13900000000', '1795113900000000', 'submitted', 1);
  const calm = await contact(campaign, '13900000000', '13900000000', 'completed', 3);
  const odd = await contact(campaign, 'abc', 'abc');
  await db.run(sql`insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, cell_id)
    values (gen_random_uuid(), ${campaign}, ${busy}, '17951 13900000000', '1795113900000000', 'dialing', 'a')`);
  await db.run(sql`insert into do_not_call (phone_number, dial_key, source, expires_at) values
    ('013700000000', '013700000000', 'manual', '2030-01-01'), ('13700000000', '13700000000', 'manual', null)`);
  await rig.migrate();
  const rows = await db.rows(sql<{ id: number; key: string; isDeleted: boolean }>`
    select id, dial_key as key, deleted_at is not null as is_deleted from contact order by id`);
  expect(rows.map(({ id, key, isDeleted }) => [id, key, isDeleted])).toEqual([
    [plain, '+8613800006100', true],
    [trunk, '+8613800006100', false],
    [elsewhere, '+8613800006100', false],
    [fixed, '+862112345678', true],
    [reached, '+862112345678', false],
    [busy, '+8613900000000', false],
    [calm, '+8613900000000', true],
    [odd, 'abc', false],
  ]);
  expect(await db.rows(sql`select dial_key as key from attempt`)).toEqual([{ key: '+8613900000000' }]);
  expect(await db.rows(sql`select phone_number as number, dial_key as key from do_not_call`)).toEqual([
    { number: '13700000000', key: '+8613700000000' },
  ]);
  const events = await db.rows(sql<{ detail: unknown }>`select detail from runtime_event where type = 'numbers.merged'`);
  expect(events).toEqual([
    {
      detail: {
        contacts: 3,
        doNotCall: 1,
        mergedContacts: [
          { id: plain, kept: trunk, campaignId: campaign },
          { id: fixed, kept: reached, campaignId: campaign },
          { id: calm, kept: busy, campaignId: campaign },
        ],
        mergedEntries: [{ id: expect.any(Number), kept: expect.any(Number) }],
      },
    },
  ]);
  const again = db.run(sql`insert into contact (campaign_id, phone_number, dial_key) values (${campaign}, '138', '+8613800006100')`);
  await expect(again).rejects.toMatchObject({ constraint: 'contact_unique' });
});
