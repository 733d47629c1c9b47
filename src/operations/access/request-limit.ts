import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';

const WINDOW_MS = 60_000;

export interface RequestLimit {
  /** Counts one request of a session. Errors: RATE_LIMITED, with the seconds until the window ends */
  take(sessionId: string): void;
}

/**
 * How many requests one session may make in a minute at this instance; 0 sets no limit.
 *
 * Why:    a page in a loop must not take the server from everybody else. Counted in the process, because a shared count costs every request
 *         a round trip; what is kept is one number per session that asked within the window
 * Source: OCS 8 "Rate limits" (not shown), D3.3
 */
export function createRequestLimit({ perMinute, clock }: { perMinute: number; clock: Clock }): RequestLimit {
  let windowEndsAt = 0;
  const counts = new Map<string, number>();
  return {
    take(sessionId) {
      if (perMinute === 0) return;
      const now = clock.monotonic();
      if (now >= windowEndsAt) {
        counts.clear();
        windowEndsAt = now + WINDOW_MS;
      }
      const count = (counts.get(sessionId) ?? 0) + 1;
      counts.set(sessionId, count);
      if (count <= perMinute) return;
      throw new CalloutError('RATE_LIMITED', '请求过于频繁，请稍后重试', {
        retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAt - now) / 1_000)),
      });
    },
  };
}
