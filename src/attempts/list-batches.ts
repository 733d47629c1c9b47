import { sql } from 'kysely';
import { columnsOf } from '#platform/postgres/columns-of.ts';
import { batch, type Batch } from './batch.ts';
import {
  type CampaignList,
  cut,
  inOrder,
  isBeyond,
  type ListDeps,
  ofCampaign,
  readPage,
  requireRow,
  type Page,
  type PageRequest,
} from '#platform/postgres/listing.ts';
import { TABLES } from '#platform/postgres/tables.ts';

/** Dispatch batches of a campaign. */
export const campaignBatches: CampaignList<Batch, object> = {
  rows: (campaignId, _filter, window) => sql<Batch>`
    select ${columnsOf(batch)} from batch where campaign_id = ${campaignId} and ${isBeyond(sql`batch.id`, window)} order by ${inOrder(sql`batch.id`, window)} ${cut(window)}`,
  total: campaignId => sql<number>`(select count(*) from batch where campaign_id = ${campaignId})`,
};

/**
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.8
 */
export async function listBatches(deps: ListDeps, campaignId: number, page: PageRequest): Promise<Page<Batch>> {
  await requireRow(deps, TABLES.campaign, campaignId, '活动');
  return readPage(deps, ofCampaign(campaignBatches, campaignId), page);
}
