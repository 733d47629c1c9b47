import { conflict, notFound } from '#kernel/errors.ts';
import type { Batch } from '#attempts/batch.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { DialStore } from './dial-store.ts';

export interface CancelBatchDeps extends AuditDeps {
  dials: Pick<DialStore, 'cancelBatch'>;
  slots: Pick<SlotRegistry, 'release'>;
}

/**
 * Stops a running batch: undialled claims are withdrawn, calls continue.
 *
 * Errors: NOT_FOUND; CONFLICT when it is not running
 * Source: OCS §3 "Batch", 4.8, D7.3
 */
export async function cancelBatch(deps: CancelBatchDeps, caller: Caller, campaignId: number, batchId: number): Promise<Batch> {
  const outcome = await deps.dials.cancelBatch(campaignId, batchId);
  if (outcome === 'not_found') throw notFound('批次');
  if (outcome === 'not_running') throw conflict('BATCH_NOT_RUNNING', '批次不在运行中，不能取消');
  // If the cache is down, the leases of these slots expire by themselves.
  await deps.slots.release(outcome.cancelledRequestIds).catch(() => 0);
  await audit(deps, caller, {
    action: 'batch.cancelled',
    targetType: 'batch',
    targetId: batchId,
    summary: `取消批次 ${batchId}`,
    detail: { campaignId, returned: outcome.cancelledRequestIds.length },
  });
  return outcome.batch;
}
