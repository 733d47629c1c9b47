import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';

/** Key for `pg_try_advisory_xact_lock`: only one sweep runs at a time. */
const FOLD_LOCK = 7_225_543;

/**
 * Folds the deltas appended for overview and trend into one row per status and per day; does nothing while another sweep runs.
 *
 * Why: readers sum all rows, so folding changes only the number of rows, not the totals
 */
export async function foldOverviewTallies(tx: Sql): Promise<void> {
  const lock = await tx.first(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as mine`);
  if (!lock?.mine) return;
  await tx.run(sql`
    with crowded as (select noun, status from status_tally group by noun, status having count(*) > 1),
    gone as (delete from status_tally t using crowded c where t.noun = c.noun and t.status = c.status returning t.noun, t.status, t.delta)
    insert into status_tally (noun, status, delta) select noun, status, sum(delta) from gone group by noun, status having sum(delta) <> 0`);
  await tx.run(sql`
    with crowded as (select day from attempt_day_tally group by day having count(*) > 1),
    gone as (delete from attempt_day_tally where day in (select day from crowded) returning *)
    insert into attempt_day_tally (day, attempts, answered, completed, failed, active, talks, talk_seconds)
    select day, sum(attempts), sum(answered), sum(completed), sum(failed), sum(active), sum(talks), sum(talk_seconds) from gone group by day`);
}
