import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Caller } from './caller.ts';

const WINDOW_MS = 60_000;

export interface RequestLimit {
  /** Counts one request, or one operation over a socket. Errors: RATE_LIMITED, with the seconds until the window ends */
  take(who: string): void;
}

/** Whom a request counts for: the user, by whatever sessions; null for who has none and is not limited. */
export function countedAs({ sessionId, userId }: Pick<Caller, 'sessionId' | 'userId'>): string | null {
  return userId === null ? sessionId : `user:${userId}`;
}

/**
 * How many requests one user may make in a minute at this instance, by whatever sessions; 0 sets no limit.
 *
 * Why:    a page in a loop must not take the server from everybody else. Counted in the process, because a shared count costs every request
 *         a round trip; what is kept is one number per user who asked within the window
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
