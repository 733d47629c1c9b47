import type { Campaign } from './campaign.ts';
import type { Batch } from '#attempts/batch.ts';
import type { Contact } from '#contacts/contact.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { attemptList } from '#attempts/attempt-store.ts';
import { campaignBatches } from '#attempts/batch-store.ts';
import { listContacts, type ListContactsDeps } from '#contacts/list-contacts.ts';
import { ofCampaign, readSlice, requireRow } from '#platform/postgres/listing.ts';
import { CAMPAIGN_TABLE } from './campaign-columns.ts';

/** Most rows of each kind in a detail; the full lists have their own endpoints. */
const SAMPLE_SIZE = 20;

export interface CampaignDetail {
  campaign: Campaign;
  contacts: Contact[];
  contactTotal: number;
  attempts: Attempt[];
  batches: Batch[];
}

/**
 * Returns a campaign with its newest contacts, attempts and batches.
 *
 * Errors: NOT_FOUND
 * Source: OCS 2.6
 */
export async function getCampaignDetail(deps: ListContactsDeps, campaignId: number): Promise<CampaignDetail> {
  const campaign = await requireRow(deps, CAMPAIGN_TABLE, campaignId, '活动');
  const newest = { limit: SAMPLE_SIZE };
  const [contacts, attempts, batches] = await Promise.all([
    listContacts(deps, campaignId, { page: 1, pageSize: SAMPLE_SIZE, q: '', status: null }),
    readSlice(deps, attemptList, { ...newest, campaignId }),
    readSlice(deps, ofCampaign(campaignBatches, campaignId), newest),
  ]);
  return { campaign, contacts: contacts.rows, contactTotal: contacts.total, attempts: attempts.rows, batches: batches.rows };
}
