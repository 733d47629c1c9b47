import { sql } from 'kysely';
import { foldAttemptTallies } from '#attempts/attempt-store.ts';
import { foldTallies } from '#campaigns/campaign-store.ts';
import { keepCaptions } from '#outcomes/kept-captions.ts';
import { dialAttempts, dialProgress } from '#outcomes/progress.ts';
import { outbox } from '#outcomes/result-write.ts';
import { applyResult } from '#outcomes/result.ts';
import { settleDials, settleUnknown } from '#outcomes/settle.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { endDueHolds, type Freed } from '#policies/holds.ts';
import { claimDials } from './claim-statements.ts';
import type { DialStore } from './dial-store.ts';
import { dialMarks } from './mark-statements.ts';
import { dialsOfNumbers } from './number-dials.ts';
import { dialPlans } from './plan-statements.ts';

/** Key for `pg_try_advisory_xact_lock`: only one sweep runs at a time. */
const FOLD_LOCK = 7_225_543;

/**
 * Folds the deltas appended for overview and trend into one row per status and per day; does nothing while another sweep runs.
 *
 * Why: readers sum all rows, so folding changes only the number of rows, not the totals
 */
async function foldOverviewTallies(tx: Sql): Promise<void> {
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

/** Business facts of dialling in PostgreSQL. `freed` is called with the campaigns whose contacts waited for an ended call. */
export function dialStore(db: Database, freed: Freed = () => undefined): DialStore {
  return {
    ...dialPlans(db),
    claim: claimDials(db),
    ...dialMarks(db, freed),
    dialsOfNumbers: dialsOfNumbers(db),
    ...dialProgress(db),
    settle: settleDials(db, freed),
    settleUnknown: settleUnknown(db),
    applyResult: applyResult(db, freed),
    keepCaptions: keepCaptions(db),
    ...dialAttempts(db),
    endDueHolds: endDueHolds(db),
    async foldTallies() {
      for (const fold of [foldTallies, foldAttemptTallies, foldOverviewTallies]) await db.transaction(fold);
    },
    ...outbox(db),
  };
}
