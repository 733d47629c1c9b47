import { sql } from 'kysely';
import type { Sql } from './database.ts';

/** Of `pg_try_advisory_xact_lock`: one sweep at a time. */
const FOLD_LOCK = 7_225_540;

/**
 * Folds the appended counts of closed attempts into one row per group; a sweep that meets another one does nothing.
 *
 * Why: readers sum whatever rows there are, so folding changes no count, only how many rows there are
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
