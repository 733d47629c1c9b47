import { defineEntity, p } from '@mikro-orm/core';
import { type RawBuilder, sql } from 'kysely';
import { at, stampColumns } from '#platform/postgres/entity-columns.ts';
import { type CampaignList, cut, inOrder, isBeyond, type Table } from '#platform/postgres/listing.ts';
import { columnsOf, ids } from '#platform/postgres/values.ts';
import { batch, type Batch, type BatchStatus } from './batch.ts';

export const BATCH_TABLE = { columns: columnsOf(batch), from: sql`batch`, id: sql`batch.id`, exists: sql`true` } satisfies Table<unknown>;

/** No statements when the ids contain no batch. */
export function refreshBatches(batchIds: readonly (number | null)[]): RawBuilder<unknown>[] {
  const wanted = [...new Set(batchIds.filter(id => id !== null))];
  return wanted.length === 0 ? [] : recountBatches(ids(wanted));
}

/**
 * Recounts batches after changes to their attempts, and ends those without undialled attempts: statements for one transaction, in this order.
 *
 * Why:    counts are computed from the attempts, so they cannot drift. The lock is a separate statement: the second one then sees the
 *         commits of earlier transactions, so that the transaction that moves the last attempt always ends the batch
 * Shape:  `batchIds` an array of ids; ended as `cancelled` when nothing was dialled, `failed` when every dial was refused, else `completed`
 * Source: D7.3
 */
export function recountBatches(batchIds: RawBuilder<unknown>): RawBuilder<unknown>[] {
  return [
    sql`select id from batch where id = any(${batchIds}) order by id for no key update`,
    sql`
    update batch b set submitted = n.submitted, failed = n.failed,
      status = case
        when b.status = 'cancelled' then b.status
        when n.undecided > 0 then 'running'
        when n.submitted > 0 then 'completed'
        when n.failed > 0 then 'failed'
        else 'cancelled' end,
      finished_at = case when b.status = 'cancelled' or n.undecided = 0 then coalesce(b.finished_at, now()) end
    from (
      select batch_id, count(*) filter (where accepted_at is not null) as submitted,
        count(*) filter (where accepted_at is null and status in ('failed', 'completed', 'outcome_unknown')) as failed,
        count(*) filter (where status in ('claimed', 'dialing')) as undecided
      from attempt where batch_id = any(${batchIds}) group by batch_id) as n
    where b.id = n.batch_id and b.id = any(${batchIds})`,
  ];
}

const schema = defineEntity({
  name: 'BatchEntity',
  tableName: 'batch',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    campaignId: p.integer(),
    status: p.text().$type<BatchStatus>(),
    source: p.text().$type<Batch['source']>(),
    requestedLimit: p.integer(),
    effectiveLimit: p.integer(),
    requested: p.integer(),
    submitted: p.integer(),
    failed: p.integer(),
    createdBy: p.integer().strictNullable(),
    finishedAt: at().strictNullable(),
    ...stampColumns(),
  },
});

export class BatchEntity extends schema.class {}

schema.setClass(BatchEntity);

/** Dispatch batches of a campaign. */
export const campaignBatches: CampaignList<Batch, object> = {
  rows: (campaignId, _filter, window) => sql<Batch>`
    select ${columnsOf(batch)} from batch where campaign_id = ${campaignId} and ${isBeyond(sql`batch.id`, window)} order by ${inOrder(sql`batch.id`, window)} ${cut(window)}`,
  total: campaignId => sql<number>`(select count(*) from batch where campaign_id = ${campaignId})`,
};
