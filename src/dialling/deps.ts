import type { DialStore, OpenAttempt, DialsPart } from '#outcomes/outcome-store.ts';
import type { RuntimePool } from '#runtimes/runtime-pool.ts';
import type { SoftphoneStore } from '#agent-calls/agent-call.ts';
import type { AdoptDeps } from '#calls/adopt-call.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';

export interface ReconcileDeps extends AdoptDeps, DialsPart, SlotsPart, Pick<Platform, 'switchPort' | 'wake' | 'ids' | 'log'> {
  /** Agents' calls hold slots, too. */
  softphoneCalls: Pick<SoftphoneStore, 'findOpen' | 'listHolding'>;
  pool: Pick<RuntimePool, 'hold'>;
  /** Lease of an unconfirmed reservation, ms (A6 step 2). */
  reservationLeaseMs: number;
}

/** Rows per read. */
export const PAGE = 500;

/** Iterates over all open attempts, page by page. */
export async function* openAttempts(dials: Pick<DialStore, 'openAttempts'>): AsyncGenerator<OpenAttempt[]> {
  let afterId = 0;
  for (;;) {
    const page = await dials.openAttempts(afterId, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}
