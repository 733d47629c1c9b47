import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';

/** Key for `pg_try_advisory_xact_lock`: only one sweep runs at a time. */
const FOLD_LOCK = 7_225_539;

/** Exact counts of a campaign's waiting contacts, without a scan. */
export interface TallyCounts {
  /** `pending`, not on hold. */
  pending: number;
  /** `pending` or retryable, on hold for a reason with a known end. */
  held: number;
  /** `failed` with a retry time, not on hold. */
  retryable: number;
}

/** Sum of the tally rows that match `condition`, for the campaign whose id the expression `campaignId` yields. */
export function tallySum(campaignId: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(delta), 0) from contact_tally where campaign_id = ${campaignId} and ${condition})`;
}

export const WAITING = {
  pending: sql`status = 'pending' and not held`,
  held: sql`held and hold_ends and (status = 'pending' or (status = 'failed' and retryable))`,
  retryable: sql`status = 'failed' and retryable and not held`,
} as const satisfies Record<keyof TallyCounts, RawBuilder<unknown>>;

/** Contact moves kept for updating remembered counts; recounting is no slower than applying more moves than this. */
const KEPT_MOVES = 5_000;
/** Number of moves at which the oldest are deleted. */
const MANY_MOVES = 10_000;

/**
 * Folds appended deltas into one row per group and appended search changes into one row per campaign, and deletes the oldest moves. Does
 * nothing while another sweep runs.
 *
 * Why: readers sum all rows, so folding changes only the number of rows, not the totals
 */
export async function foldTallies(tx: Sql): Promise<void> {
  const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as mine`);
  if (!lock?.mine) return;
  await tx.run(sql`
    with crowded as (
      select campaign_id from contact_tally group by campaign_id
      having count(*) > count(distinct (status, held, hold_ends, retryable))),
    gone as (
      delete from contact_tally where campaign_id in (select campaign_id from crowded)
      returning campaign_id, status, held, hold_ends, retryable, delta)
    insert into contact_tally (campaign_id, status, held, hold_ends, retryable, delta)
    select campaign_id, status, held, hold_ends, retryable, sum(delta) from gone
    group by campaign_id, status, held, hold_ends, retryable having sum(delta) <> 0`);
  await tx.run(sql`
    with crowded as (select campaign_id from contact_search_change group by campaign_id having count(*) > 1),
    gone as (
      delete from contact_search_change where campaign_id in (select campaign_id from crowded) returning campaign_id, changes)
    insert into contact_search_change select campaign_id, sum(changes) from gone group by campaign_id`);
  await tx.run(sql`
    with floor as (
      update contact_search_floor set xid = (gone.xid::text::bigint + 1)::text::xid8
      from (select xid from contact_search_move order by xid desc offset ${KEPT_MOVES} limit 1) as gone
      where (select count(*) from contact_search_move) > ${MANY_MOVES} returning gone.xid)
    delete from contact_search_move m using floor where m.xid <= floor.xid`);
}
