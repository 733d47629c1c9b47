import { sql } from 'kysely';
import { type Campaign, campaign } from './campaign.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import type { Table } from '#platform/postgres/listing.ts';

/** Columns of a campaign, named as in the record `Campaign`; the table's alias is `c`. */
export const CAMPAIGN_COLUMNS = sql<Campaign>`
  ${columnsOf(campaign.omit({ lineIds: true }), 'c')},
  array(select cl.line_id from campaign_line cl join line l on l.id = cl.line_id and l.deleted_at is null
        where cl.campaign_id = c.id order by cl.position) as line_ids`;

export const CAMPAIGN_TABLE = {
  columns: CAMPAIGN_COLUMNS,
  from: sql`campaign c`,
  id: sql`c.id`,
  exists: sql`c.deleted_at is null`,
} satisfies Table<unknown>;
