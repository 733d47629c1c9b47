import { sleep } from '#kernel/clock.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import type { Platform } from '#platform/platform.ts';
import type { DialStore } from './dial-store.ts';

export interface WithdrawalDeps extends Pick<Platform, 'clock' | 'log'> {
  dials: Pick<DialStore, 'revert'>;
  slots: Pick<SlotRegistry, 'release'>;
}

export interface Withdrawal {
  requestIds: readonly string[];
  /** Whether they may be marked `dialing` although nothing was sent. */
  alsoDialing: boolean;
  reason: string;
}

export interface Withdrawals {
  /** Withdraws dials that were certainly not sent; repeated later if the stores are unavailable. */
  withdraw(withdrawal: Withdrawal): Promise<void>;
  /** Repeats failed withdrawals until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const RETRY_MS = 1_000;
/** Limit of pending withdrawals; beyond it the reconciler finds the claims by their age. */
const MAX_WAITING = 1_000;

/**
 * Remembers what this instance claimed and did not send while the stores are unavailable.
 *
 * Why:    only this process can distinguish them from dials that may have been sent. If forgotten, a claim would be blocked for its whole
 *         lease, and a marked one would cost its contact an attempt that never rang
 * Source: A6 steps 3 and 5
 */
export function createWithdrawals(deps: WithdrawalDeps): Withdrawals {
  let waiting: Withdrawal[] = [];

  async function attempt({ requestIds, alsoDialing, reason }: Withdrawal): Promise<boolean> {
    try {
      await deps.dials.revert(requestIds, { alsoDialing, reason });
      await deps.slots.release(requestIds);
      return true;
    } catch (error) {
      deps.log.debug({ err: error, count: requestIds.length }, 'withdrawn dials wait for the stores');
      return false;
    }
  }

  async function tryAgain(): Promise<void> {
    const now = waiting;
    waiting = [];
    for (const withdrawal of now) if (!(await attempt(withdrawal))) waiting.push(withdrawal);
  }

  return {
    async withdraw(withdrawal) {
      if (withdrawal.requestIds.length === 0 || (await attempt(withdrawal))) return;
      if (waiting.length < MAX_WAITING) waiting.push(withdrawal);
      deps.log.warn(
        { count: withdrawal.requestIds.length },
        'dials were withdrawn while a store is unavailable; they will be written when it returns',
      );
    },
    async run(signal) {
      while (!signal.aborted) {
        await sleep(deps.clock, RETRY_MS, signal);
        if (waiting.length > 0) await tryAgain();
      }
    },
  };
}
