import { sql } from 'kysely';
import { isFound } from '#adapters/postgres/search.ts';
import { listOf } from '../listing.ts';
import { TABLES } from '../tables.ts';

/** Source: OCS 4.5 */
export const campaignList = listOf(TABLES.campaign, ({ q }: { q: string }) =>
  isFound(q, [sql`c.name`, sql`c.business_code`, sql`c.description`]),
);
