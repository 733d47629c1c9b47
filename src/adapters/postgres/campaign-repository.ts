import { sql } from 'kysely';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { Campaign } from '#model/campaign.ts';
import { CAMPAIGN_COLUMNS } from './campaign-columns.ts';
import type { Database, Sql } from './database.ts';

export function campaignRepository(db: Database): CampaignStore {
  return { find: campaignId => findCampaign(db, campaignId) };
}

export async function findCampaign(db: Sql, campaignId: number): Promise<Campaign | null> {
  const row = await db.first(sql<Campaign>`select ${CAMPAIGN_COLUMNS} from campaign c where c.id = ${campaignId} and c.deleted_at is null`);
  return row ?? null;
}
