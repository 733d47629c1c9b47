import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import { openAttempts, type ReconcileDeps } from './deps.ts';

/** A claim outlives its reservation by at most this time, ms (A6 step 3). */
const MARGIN_MS = 5_000;
/** A paced dial may start this long after its claim (the slot registry's horizon), ms. */
const PACING_MS = 10_000;

/**
 * Reverts claims whose instance crashed before dialling: the contact returns, no retry is used.
 *
 * Why:    slots are not released here: a claim that is marked in the meantime is about to be dialled. Orphaned slots are released after
 *         checking the switch
 * Shape:  `onPage` is called with every page of open attempts
 * Source: A6 step 3
 */
export async function reapClaims(deps: ReconcileDeps, onPage: (page: readonly OpenAttempt[]) => void = () => undefined): Promise<number> {
  let reaped = 0;
  const oldest = deps.reservationLeaseMs + MARGIN_MS + PACING_MS;
  for await (const page of openAttempts(deps.dials)) {
    onPage(page);
    const stale = page.filter(attempt => attempt.status === 'claimed' && attempt.claimedAgoMs > oldest).map(attempt => attempt.requestId);
    if (stale.length === 0) continue;
    reaped += await deps.dials.revert(stale, { alsoDialing: false, reason: '调度实例中断，未拨出' });
  }
  return reaped;
}
