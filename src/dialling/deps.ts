import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { RuntimePool } from '#runtimes/runtime-pool.ts';
import type { AdoptDeps } from '#calls/find-call.ts';
import type { Platform } from '#platform/platform.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { DialStore } from './dial-store.ts';

/** Calls that hold slots without an attempt: those of agents and external participants. */
export interface SlotHolders {
  /** The open calls among these request ids. */
  findOpen(requestIds: readonly string[]): Promise<readonly { requestId: string }[]>;
  /** Open calls that hold a slot, oldest first, after `afterId`. */
  listHolding(afterId: number, limit: number): Promise<readonly SlotHolder[]>;
}

interface SlotHolder {
  id: number;
  requestId: string;
  /** `conference`: the slot is the conference's campaign's. */
  direction: string;
  campaignId: number | null;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
}

export interface ReconcileDeps extends AdoptDeps, SlotsPart, Pick<Platform, 'switchPort' | 'wake' | 'ids' | 'log'> {
  dials: DialStore;
  /** Agents' calls hold slots, too. */
  softphoneCalls: SlotHolders;
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
