import { LockMode, raw, serialize } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import type { DialStore } from '#outcomes/outcome-store.ts';
import type { Batch } from '#attempts/batch.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { HAS_RIVAL, isListed, mayDispatch } from './admission.ts';
import { type Freed, freeNumbers, notifyFreed } from '#policies/contact-holds.ts';
import { BatchEntity, refreshBatches } from '#attempts/dial-batches.ts';
import { uuids } from '#platform/postgres/values.ts';

type MarkMethods = Pick<DialStore, 'markDialing' | 'revert' | 'cancelClaims' | 'cancelBatch' | 'forgetScriptless'>;

export function dialMarks(db: Database, freed: Freed = () => undefined): MarkMethods {
  return {
    markDialing: requestIds => markDialing(db, requestIds),
    async revert(requestIds, { alsoDialing, reason }) {
      const { count, waiting } = await db.hot.transaction(
        async tx => {
          const statuses = alsoDialing ? sql`a.status in ('claimed', 'dialing')` : sql`a.status = 'claimed'`;
          const [lock, revert] = revertStatements(sql`a.request_id = any(${uuids(requestIds)}) and ${statuses}`, reason);
          const [, reverted] = await tx.step(lock, revert);
          const [waiting] = await tx.last(
            freeNumbers(sql`select a.dial_key from attempt a where a.request_id = any(${uuids(reverted.map(row => row.requestId))})`),
            ...refreshBatches(reverted.map(row => row.batchId)),
          );
          return { count: reverted.length, waiting };
        },
        { byKey: true },
      );
      notifyFreed(freed, waiting);
      return count;
    },
    cancelClaims: (campaignId, reason) =>
      db.transaction(tx => revertAttempts(tx, sql`a.campaign_id = ${campaignId} and a.status = 'claimed'`, reason)),
    async forgetScriptless(campaignId) {
      await db.run(sql`
        with forgotten as (update campaign set scriptless = null where id = ${campaignId} and scriptless is not null returning id)
        update contact c set hold_reason = null, hold_until = null
        from forgotten f where c.campaign_id = f.id and c.hold_reason = 'retry_wait' and c.status = 'pending'`);
    },
    cancelBatch: (campaignId, batchId) => db.transaction(tx => cancelBatch(tx, campaignId, batchId)),
  };
}

/**
 * The final check before dialling: the statement that marks also rechecks everything that may have changed since the claim.
 *
 * Source: A6 step 5, D8.6
 */
async function markDialing(db: Database, requestIds: readonly string[]): Promise<string[]> {
  const marked = await db.hot.rows(sql<{ requestId: string }>`
    update attempt a set status = 'dialing', dialing_at = now(), started_at = now()
    from campaign c, rules_version r
    where a.request_id = any(${uuids(requestIds)}) and a.status = 'claimed' and c.id = a.campaign_id
      and a.policy_version = r.version and (a.valid_until is null or a.valid_until > now()) and not ${isListed(sql`a.dial_key`)}
      and not ${HAS_RIVAL}
      and not exists (
        select 1 from line l where l.id = a.line_id and (not l.is_enabled or l.deleted_at is not null
          or not exists (select 1 from campaign_line cl where cl.campaign_id = c.id and cl.line_id = l.id)))
      and case when a.batch_id is null then ${mayDispatch(sql`'auto'`)}
        else exists (select 1 from batch b where b.id = a.batch_id and b.status = 'running' and ${mayDispatch(sql`b.source`)}) end
    returning a.request_id`);
  return marked.map(row => row.requestId);
}

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
function revertStatements(
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

/** Locks attempts before the batch: the lock order of everything that ends attempts. Source: D7.3 */
async function cancelBatch(
  tx: Sql,
  campaignId: number,
  batchId: number,
): Promise<{ batch: Batch; cancelledRequestIds: string[] } | 'not_found' | 'not_running'> {
  await tx.run(sql`select id from attempt a where a.batch_id = ${batchId} and a.status = 'claimed' order by id for no key update`);
  const batch = await tx.em.findOne(BatchEntity, { id: batchId, campaignId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (batch === null) return 'not_found';
  if (batch.status !== 'running') return 'not_running';
  tx.em.assign(batch, { status: 'cancelled', finishedAt: raw<number>('now()') });
  await tx.em.flush();
  const cancelledRequestIds = await revertAttempts(tx, sql`a.batch_id = ${batchId} and a.status = 'claimed'`, '批次已取消');
  // Read again: the reverted attempts have been counted.
  await tx.em.refresh(batch);
  return { batch: serialize(batch), cancelledRequestIds };
}
