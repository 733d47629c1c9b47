import type { Campaign } from '#model/campaign.ts';

/** Campaigns as others read them; deleted ones do not exist here. What changes a campaign is its actor's. Errors: DATABASE_UNAVAILABLE */
export interface CampaignStore {
  find(campaignId: number): Promise<Campaign | null>;
}
