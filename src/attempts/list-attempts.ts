import { type RawBuilder, sql } from 'kysely';
import { ATTEMPT_COLUMNS } from './attempt-columns.ts';
import { attemptTotal } from './attempt-tally.ts';
import type { Attempt } from './attempt.ts';
import { type CampaignList, cut, inOrder, isBeyond, type List, type Window } from '#platform/postgres/listing.ts';
import {
  type AttemptFilter,
  attemptFilters,
  campaignFilter,
  type LeadingFilter,
  leadingFilter,
  rowFilters,
  tallyFilters,
} from './attempt-filter.ts';

/** Source: OCS 4.8 */
export const attemptList: List<Attempt, AttemptFilter> = {
  rows: (filter, window) => sql<Attempt>`${attemptRows(leadingFilter(filter), window)} order by ${inOrder(sql`a.id`, window)}`,
  total: filter => totalOf(sql`true`, filter),
};

export const campaignAttempts: CampaignList<Attempt, Omit<AttemptFilter, 'campaignId'>> = {
  rows: (campaignId, filter, window) => attemptRows(campaignFilter(campaignId, filter), window),
  total: (campaignId, filter) => totalOf(sql`a.campaign_id = ${campaignId}`, { ...filter, campaignId: undefined }),
};

function totalOf(within: RawBuilder<unknown>, filter: AttemptFilter): RawBuilder<number> {
  if (rowFilters(filter).length === 0) return attemptTotal([within, ...tallyFilters(filter)], filter);
  return sql<number>`(select count(*) from attempt a where a.deleted_at is null and ${sql.join([within, ...attemptFilters(filter)], sql` and `)})`;
}

/**
 * Selects the ids from an index and reads only the rows of the window, in no order.
 *
 * Why: sorting by the filtered column first and matching it with `= any(…)` leaves the order unchanged, but keeps the planner on the index
 *      that begins with that column. Otherwise it walks all attempts from the newest one: millions of rows when the matching ones are old
 */
function attemptRows({ condition, column, id, rest }: LeadingFilter, window: Window): RawBuilder<Attempt> {
  const where = sql.join([condition, isBeyond(sql`a.id`, window), ...attemptFilters(rest)], sql` and `);
  // Ascending ids read the index (column, id desc) backwards.
  const ahead = column === null ? [] : [window.isAscending ? sql`${column} desc` : column];
  return sql<Attempt>`
    select ${ATTEMPT_COLUMNS} from attempt a
    join (select a.id from attempt a where a.deleted_at is null and ${where}
          order by ${sql.join([...ahead, inOrder(id, window)])} ${cut(window)}) as chosen on chosen.id = a.id`;
}
