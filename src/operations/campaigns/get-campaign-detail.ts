import { notFound } from '#kernel/errors.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { ContactStore } from '#ports/contact-store.ts';
import type { Attempt, Batch, Campaign, Contact } from '#ports/records.ts';

/** Rows of each kind in a detail; the lists have their own endpoints. */
const SAMPLE_SIZE = 20;

export interface CampaignDetailDeps {
  campaigns: Pick<CampaignStore, 'find'>;
  contacts: Pick<ContactStore, 'list'>;
  attempts: Pick<AttemptStore, 'list' | 'listBatches'>;
}

export interface CampaignDetail {
  campaign: Campaign;
  contacts: Contact[];
  contactTotal: number;
  attempts: Attempt[];
  batches: Batch[];
}

/**
 * A campaign with its newest contacts, attempts and batches.
 *
 * Errors: NOT_FOUND
 * Source: OCS 2.6
 */
export async function getCampaignDetail(deps: CampaignDetailDeps, campaignId: number): Promise<CampaignDetail> {
  const campaign = await deps.campaigns.find(campaignId);
  if (campaign === null) throw notFound('活动');
  const sample = { page: 1, pageSize: SAMPLE_SIZE };
  const [contacts, attempts, batches] = await Promise.all([
    deps.contacts.list(campaignId, { ...sample, q: '', status: null }),
    deps.attempts.list({ ...sample, campaignId }),
    deps.attempts.listBatches(campaignId, sample),
  ]);
  return { campaign, contacts: contacts.rows, contactTotal: contacts.total, attempts: attempts.rows, batches: batches?.rows ?? [] };
}
