import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/caller.ts';

const WINDOW_MS = 60_000;

export interface RequestLimit {
  /** Counts one request, or one operation over a socket. Errors: RATE_LIMITED, with the seconds until the window ends */
  take(who: string): void;
}

/** Key that a request is counted under: the user, across sessions; null for a caller that has no identity and is not limited. */
export function countedAs({ sessionId, userId }: Pick<Caller, 'sessionId' | 'userId'>): string | null {
  return userId === null ? sessionId : `user:${userId}`;
}

/**
 * Limits the requests that one user may make per minute at this instance, across sessions; 0 sets no limit.
 *
 * Why:    a page that loops must not starve other users. Counted in the process, because a shared count would cost every request a round
 *         trip; the memory is one number per user that sent a request within the window
 * Source: OCS 8 "Rate limits" (not shown), D3.3
 */
export function createRequestLimit({ perMinute, clock }: { perMinute: number; clock: Clock }): RequestLimit {
  let windowEndsAt = 0;
  const counts = new Map<string, number>();
  return {
    take(who) {
      if (perMinute === 0) return;
      const now = clock.monotonic();
      if (now >= windowEndsAt) {
        counts.clear();
        windowEndsAt = now + WINDOW_MS;
      }
      const count = (counts.get(who) ?? 0) + 1;
      counts.set(who, count);
      if (count <= perMinute) return;
      throw new CalloutError('RATE_LIMITED', '请求过于频繁，请稍后重试', {
        retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt - now) / 1_000)),
      });
    },
  };
}
