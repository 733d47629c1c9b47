import { type RawBuilder, sql } from 'kysely';
import { ATTEMPT_COLUMNS } from '#adapters/postgres/attempt-columns.ts';
import { attemptTotal } from '#adapters/postgres/attempt-tally.ts';
import type { Attempt } from '#model/attempt.ts';
import { type CampaignList, cut, isBefore, type List, type Window } from '../listing.ts';
import { type AttemptFilter, attemptFilters, campaignFilter, type LeadingFilter, leadingFilter, tallyFilters } from './attempt-filter.ts';

/** Source: OCS 4.8 */
export const attemptList: List<Attempt, AttemptFilter> = {
  rows: (filter, window) => sql<Attempt>`${attemptRows(leadingFilter(filter), window)} order by a.id desc`,
  total: filter => attemptTotal(tallyFilters(filter), filter),
};

export const campaignAttempts: CampaignList<Attempt, Omit<AttemptFilter, 'campaignId'>> = {
  rows: (campaignId, filter, window) => attemptRows(campaignFilter(campaignId, filter), window),
  total: (campaignId, filter) =>
    attemptTotal([sql`a.campaign_id = ${campaignId}`, ...tallyFilters({ ...filter, campaignId: undefined })], filter),
};

/**
 * The ids come from an index; only the rows of the window are read, in no order.
 *
 * Why: sorting by the filtered column first, and asking for it as a list, changes no order, but keeps the planner on the index that begins with it.
 *      Left to itself it walks all attempts from the newest one, which reads millions when those that match are old
 */
function attemptRows({ condition, column, rest }: LeadingFilter, window: Window): RawBuilder<Attempt> {
  const where = sql.join([condition, isBefore(sql`a.id`, window), ...attemptFilters(rest)], sql` and `);
  return sql<Attempt>`
    select ${ATTEMPT_COLUMNS} from attempt a
    join (select a.id from attempt a where a.deleted_at is null and ${where}
          order by ${column ? sql`${column}, a.id desc` : sql`a.id desc`} ${cut(window)}) as chosen on chosen.id = a.id`;
}
