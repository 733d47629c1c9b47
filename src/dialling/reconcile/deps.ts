import type { DialStore, OpenAttempt } from '#ports/dial-store.ts';
import type { RuntimePool } from '#ports/runtime-pool.ts';
import type { SoftphoneStore } from '#ports/softphone-store.ts';
import type { AdoptDeps } from '#operations/calls/adopt-call.ts';
import type { Ports } from '#ports/ports.ts';

export interface ReconcileDeps extends AdoptDeps, Pick<Ports, 'dials' | 'slots' | 'switchPort' | 'wake' | 'ids' | 'log'> {
  /** Calls of agents hold slots too. */
  softphoneCalls: Pick<SoftphoneStore, 'findOpen' | 'listHolding'>;
  pool: Pick<RuntimePool, 'hold'>;
  /** Life of an unconfirmed reservation, ms (A6 step 2). */
  reservationLeaseMs: number;
}

/** Rows read at once. */
export const PAGE = 500;

/** Every open attempt, a page at a time. */
export async function* openAttempts(dials: Pick<DialStore, 'openAttempts'>): AsyncGenerator<OpenAttempt[]> {
  let afterId = 0;
  for (;;) {
    const page = await dials.openAttempts(afterId, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}
