import type { CampaignStore } from '#ports/campaign-store.ts';
import type { Campaign, Page, PageRequest } from '#ports/records.ts';

/** Source: OCS 4.5 */
export function listCampaigns(
  deps: { campaigns: Pick<CampaignStore, 'list'> },
  query: PageRequest & { q: string },
): Promise<Page<Campaign>> {
  return deps.campaigns.list(query);
}
