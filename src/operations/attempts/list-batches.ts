import { notFound } from '#kernel/errors.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { Batch, Page, PageRequest } from '#ports/records.ts';

/**
 * The dispatch batches of a campaign, newest first.
 *
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.8
 */
export async function listBatches(
  deps: { attempts: Pick<AttemptStore, 'listBatches'> },
  campaignId: number,
  page: PageRequest,
): Promise<Page<Batch>> {
  const batches = await deps.attempts.listBatches(campaignId, page);
  if (batches === null) throw notFound('活动');
  return batches;
}
