import { notFound } from '#kernel/errors.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import type { ContactQuery, ContactStore } from '#ports/contact-store.ts';
import type { Contact, Page } from '#ports/records.ts';

export interface ListContactsDeps {
  campaigns: Pick<CampaignStore, 'find'>;
  contacts: Pick<ContactStore, 'list'>;
}

/**
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.6
 */
export async function listContacts(deps: ListContactsDeps, campaignId: number, query: ContactQuery): Promise<Page<Contact>> {
  if ((await deps.campaigns.find(campaignId)) === null) throw notFound('活动');
  return deps.contacts.list(campaignId, query);
}
