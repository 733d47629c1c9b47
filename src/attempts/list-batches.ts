import { sql } from 'kysely';
import { columnsOf } from '#platform/postgres/values.ts';
import { batch, type Batch } from './batch.ts';
import { type CampaignList, cut, inOrder, isBeyond } from '#platform/postgres/listing.ts';

/** Dispatch batches of a campaign. */
export const campaignBatches: CampaignList<Batch, object> = {
  rows: (campaignId, _filter, window) => sql<Batch>`
    select ${columnsOf(batch)} from batch where campaign_id = ${campaignId} and ${isBeyond(sql`batch.id`, window)} order by ${inOrder(sql`batch.id`, window)} ${cut(window)}`,
  total: campaignId => sql<number>`(select count(*) from batch where campaign_id = ${campaignId})`,
};
