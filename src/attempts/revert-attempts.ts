import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { refreshBatches } from './batch-store.ts';

/** To be used in the transaction of a user's command. Shape: request ids of the reverted attempts */
export async function revertAttempts(tx: Sql, which: RawBuilder<unknown>, reason: string): Promise<string[]> {
  const [lock, revert] = revertStatements(which, reason);
  await tx.run(lock);
  const reverted = await tx.rows(revert);
  for (const statement of refreshBatches(reverted.map(row => row.batchId))) await tx.run(statement);
  return reverted.map(row => row.requestId);
}

/**
 * Reverts attempts that were certainly not dialled: the contact returns to its state before the claim, no retry is used. A contact whose
 * last call was reported as completed in the meantime becomes completed: only the claim had prevented that.
 *
 * Why:   contacts are locked in a separate statement, so that the next one sees a result being written at that time (dial-result.ts).
 *        Attempts are selected before sorting: for a small table the planner would otherwise scan all attempts backwards
 * Shape: the lock and the change, which returns the reverted attempts; to be run in this order in one transaction, then recount their batches
 */
export function revertStatements(
  which: RawBuilder<unknown>,
  reason: string,
): [lock: RawBuilder<unknown>, revert: RawBuilder<{ requestId: string; batchId: number | null }>] {
  return [
    sql`select a.id from attempt a join contact c on c.id = a.contact_id where ${which} order by a.id for no key update`,
    sql`
    with locked as (select a.id from attempt a where ${which}),
    reverted as (
      update attempt a set status = 'cancelled', reply_text = ${reason}, ended_at = now(), dialing_at = null, started_at = null
      from locked where a.id = locked.id
      returning a.id, a.contact_id, a.request_id, a.batch_id),
    restored as (
      update contact c
      set status = case when c.retry_at is null then 'pending' when last.is_reported then 'completed' else 'failed' end,
        retry_at = case when last.is_reported then null else c.retry_at end,
        attempt_count = greatest(0, c.attempt_count - 1), last_attempt_id = last.id
      from reverted r left join lateral (
        select p.id, p.status = 'completed' and p.result_at is not null as is_reported
        from (select * from attempt where contact_id = r.contact_id offset 0) p
        where p.id < r.id and p.status <> 'cancelled' and p.deleted_at is null
        order by p.id desc limit 1) last on true
      where c.id = r.contact_id and c.last_attempt_id = r.id and c.status = 'submitted')
    select request_id, batch_id from reverted`,
  ];
}
