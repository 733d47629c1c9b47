import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { OPEN } from './open-attempt.ts';
import { RESULT_MISSING } from './result-missing.ts';

/** Key for `pg_try_advisory_xact_lock`: only one sweep runs at a time. */
const FOLD_LOCK = 7_225_540;

/**
 * Folds the appended counts of closed attempts into one row per group; does nothing while another sweep runs.
 *
 * Why: readers sum all rows, so folding changes only the number of rows, not the totals
 */
export async function foldAttemptTallies(tx: Sql): Promise<void> {
  const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as mine`);
  if (!lock?.mine) return;
  await tx.run(sql`
    with crowded as (
      select campaign_id from attempt_tally group by campaign_id
      having count(*) > count(distinct (status, call_status, emotion_status))),
    gone as (
      delete from attempt_tally where campaign_id in (select campaign_id from crowded)
      returning campaign_id, status, call_status, emotion_status, delta)
    insert into attempt_tally (campaign_id, status, call_status, emotion_status, delta)
    select campaign_id, status, call_status, emotion_status, sum(delta) from gone
    group by campaign_id, status, call_status, emotion_status having sum(delta) <> 0`);
}

/**
 * Number of matching attempts; `conditions` must be valid on attempt and attempt_tally alike.
 *
 * Why: ten million closed attempts are summed, not counted: `attempt_tally` holds a few rows per campaign (maintained by triggers, folded
 *      by a sweep). Only open attempts, which are bounded by the number of channels, and the few without a result are counted, through
 *      their partial indexes
 */
export function attemptTotal(
  conditions: readonly RawBuilder<unknown>[],
  { resultMissing }: { resultMissing?: boolean | undefined },
): RawBuilder<number> {
  const where = sql.join(conditions, sql` and `);
  const counted = (which: RawBuilder<boolean>) =>
    sql<number>`(select count(*) from attempt a where ${which} and a.deleted_at is null and ${where})`;
  const all = sql<number>`(select coalesce(sum(a.delta), 0) from attempt_tally a where ${where}) + ${counted(OPEN)}`;
  if (resultMissing === undefined) return all;
  return resultMissing ? counted(RESULT_MISSING) : sql<number>`${all} - ${counted(RESULT_MISSING)}`;
}
