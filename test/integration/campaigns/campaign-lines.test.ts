import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { campaignActorStore } from '#campaigns/campaign-actor-store.ts';
import { editCampaign } from '#test/support/campaign-host.ts';
import { addCampaign, type Dialling, openDialling } from '#test/support/dialling.ts';

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

test('an edit that names the same lines keeps their rows, including gaps in their positions [D3.7]', async () => {
  const campaignId = await addCampaign(d.db, {});
  await d.db.run(sql`
    with line as (
      insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
      values ('一线', 'one', 'sofia/gateway/one/{{destinationNumber}}', 5, 'single_shared') returning id
    )
    insert into campaign_line (campaign_id, line_id, position) select ${campaignId}, id, 5 from line`);
  const { after } = await editCampaign(campaignActorStore(d.db), campaignId, { name: '另一个名字' });
  expect(after.context.fields.name).toBe('另一个名字');
  expect(await d.db.rows(sql`select position from campaign_line where campaign_id = ${campaignId}`)).toEqual([{ position: 5 }]);
});
