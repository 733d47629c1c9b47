import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { networkOf } from '#kernel/network.ts';

const WINDOW_MS = 10_000;
const WINDOWS_PER_MINUTE = 60_000 / WINDOW_MS;
/** The limit of all unauthenticated clients together, as a multiple of the limit of one address. */
const ADDRESSES_AT_LIMIT = 10;
/** Most addresses that are counted separately in one window; further addresses share one count. */
const MAX_ADDRESSES = 10_000;

export interface UnauthenticatedBudget {
  /** Charges `cost` to an address without a session. Errors: RATE_LIMITED, with the seconds until the window ends */
  take(address: string | null, cost: number): void;
}

/**
 * Limits the work done for unauthenticated clients, per address and in total; 0 sets no limit.
 *
 * Why: their work slows down the calls that this process dials
 */
export function createUnauthenticatedBudget({ perMinute, clock }: { perMinute: number; clock: Clock }): UnauthenticatedBudget {
  const perWindow = perMinute / WINDOWS_PER_MINUTE;
  let windowEndsAt = 0;
  let all = 0;
  const taken = new Map<string, number>();
  const begin = (now: number) => {
    taken.clear();
    all = 0;
    windowEndsAt = now + WINDOW_MS;
  };
  return {
    take(address, cost) {
      if (perMinute === 0) return;
      const now = clock.monotonic();
      if (now >= windowEndsAt) begin(now);
      const network = networkOf(address ?? '');
      const key = taken.has(network) || taken.size < MAX_ADDRESSES ? network : '';
      const own = taken.get(key) ?? 0;
      if (own + cost > perWindow || all + cost > perWindow * ADDRESSES_AT_LIMIT) throw tooMany((windowEndsAt - now) / 1_000);
      taken.set(key, own + cost);
      all += cost;
    },
  };
}

function tooMany(seconds: number): CalloutError {
  return new CalloutError('RATE_LIMITED', '未登录的请求过多，请稍后重试或登录', { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
}
