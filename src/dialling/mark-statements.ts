import { LockMode, raw, serialize } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Batch } from '#attempts/batch.ts';
import { lacksConsent } from '#consent/consent-conditions.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { isListed } from '#do-not-call/entry-conditions.ts';
import { HAS_RIVAL, mayDispatch } from './queue-conditions.ts';
import { type Freed, freeNumbers, notifyFreed } from '#policies/holds.ts';
import { BatchEntity, refreshBatches } from '#attempts/batch-store.ts';
import { uuids } from '#platform/postgres/values.ts';
import type { DialStore, MarkedDial } from './dial-store.ts';
import { revertAttempts, revertStatements } from '#attempts/revert-attempts.ts';

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
function markDialing(db: Database, requestIds: readonly string[]): Promise<MarkedDial[]> {
  return db.hot.rows(sql<MarkedDial>`
    update attempt a set status = 'dialing', dialing_at = now(), started_at = now()
    from campaign c, rules_version r
    where a.request_id = any(${uuids(requestIds)}) and a.status = 'claimed' and c.id = a.campaign_id
      and a.policy_version = r.version and (a.valid_until is null or a.valid_until > now()) and not ${isListed(sql`a.dial_key`)}
      and not ${HAS_RIVAL} and not ${lacksConsent({ campaignId: sql`a.campaign_id`, dialKey: sql`a.dial_key` })}
      and not exists (
        select 1 from line l where l.id = a.line_id and (not l.is_enabled or l.deleted_at is not null
          or not exists (select 1 from campaign_line cl where cl.campaign_id = c.id and cl.line_id = l.id)))
      and case when a.tested_by is not null then ${mayDispatch(sql`'manual'`)} when a.batch_id is null then ${mayDispatch(sql`'auto'`)}
        else exists (select 1 from batch b where b.id = a.batch_id and b.status = 'running' and ${mayDispatch(sql`b.source`)}) end
    returning a.request_id, epoch_ms(a.valid_until) - epoch_ms(now()) as valid_for_ms`);
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
