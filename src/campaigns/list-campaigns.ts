import { sql } from 'kysely';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { instant } from '#platform/postgres/values.ts';
import type { CampaignStatus } from './decisions/campaign-bounds.ts';
import { type ListDeps, listOf, ofCampaign, type Page, type PageRequest, readPage, requireRow } from '#platform/postgres/listing.ts';
import { CAMPAIGN_TABLE } from './campaign-columns.ts';
import type { Batch } from '#attempts/batch.ts';
import { campaignBatches } from '#attempts/batch-store.ts';

/** Filters of the list; an undefined filter does not narrow it. */
interface CampaignSearch {
  /** Substring of name, business code or description; '' matches all. */
  q: string;
  status?: CampaignStatus | undefined;
  businessCode?: string | undefined;
  /** Created at or after `from` and before `to`; UTC ms */
  from?: number | undefined;
  to?: number | undefined;
}

/** Source: OCS 4.5 */
export const campaignList = listOf(
  CAMPAIGN_TABLE,
  ({ q, status, businessCode, from, to }: CampaignSearch) =>
    allOf(
      isFound(q, [sql`c.name`, sql`c.business_code`, sql`c.description`]),
      status !== undefined && sql`c.status = ${status}`,
      businessCode !== undefined && sql`c.business_code = ${businessCode}`,
      from !== undefined && sql`c.created_at >= ${instant(from)}`,
      to !== undefined && sql`c.created_at < ${instant(to)}`,
    ),
  { name: sql`c.name`, updatedAt: sql`c.updated_at` },
);

/**
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.8
 */
export async function listBatches(deps: ListDeps, campaignId: number, page: PageRequest): Promise<Page<Batch>> {
  await requireRow(deps, CAMPAIGN_TABLE, campaignId, '活动');
  return readPage(deps, ofCampaign(campaignBatches, campaignId), page);
}
