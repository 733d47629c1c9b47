import { sql } from 'kysely';
import { allOf, isFound } from '#platform/postgres/search.ts';
import { instant } from '#platform/postgres/values.ts';
import type { CampaignStatus } from './decisions/campaign-bounds.ts';
import { listOf } from '#platform/postgres/listing.ts';
import { TABLES } from '#platform/postgres/tables.ts';

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
  TABLES.campaign,
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
