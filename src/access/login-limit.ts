import type { Passwords } from './passwords.ts';
import { createHash } from 'node:crypto';
import type { Caller } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { networkOf } from '#kernel/network.ts';
import { foldedUserName } from '#kernel/user-name.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';

const WINDOW_MS = 60_000;

interface RequestLimit {
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

const MINUTE_MS = 60_000;
const PAIR = { failures: 5, windowMs: 15 * MINUTE_MS };
const ADDRESS = { failures: 30, windowMs: 5 * MINUTE_MS };
/** Failures kept per key; beyond the larger limit more make no difference. */
const KEPT_FAILURES = 64;

const checkLogin = defineScript('check-login-2.lua', import.meta.url);
const failLogin = defineScript('fail-login-2.lua', import.meta.url);

export interface LoginTry {
  username: string;
  address: string;
}

export type LoginLimit = ReturnType<typeof redisLoginLimit>;

export interface CredentialsPart {
  passwords: Passwords;
  loginLimit: LoginLimit;
}

/**
 * Limits failed logins: 5 per user and address in 15 min, 30 per address in 5 min.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D3.3
 */
export function redisLoginLimit(link: RedisLink, ids: IdSource) {
  return {
    /** Null when an attempt is allowed, else the seconds until the next one is. */
    async blockedForSeconds(attempt: LoginTry) {
      const args = [PAIR.failures, PAIR.windowMs, ADDRESS.failures, ADDRESS.windowMs];
      const waitMs = Number(await link.eval(checkLogin, { keys: keysOf(attempt), args }));
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : null;
    },
    async recordFailure(attempt: LoginTry) {
      await link.eval(failLogin, { keys: keysOf(attempt), args: [PAIR.windowMs, ADDRESS.windowMs, ids(), KEPT_FAILURES] });
    },
    /** A successful login clears the failures of the user at this address, but not those of the address. */
    async forgive(attempt: LoginTry) {
      const [pair = ''] = keysOf(attempt);
      await link.run(redis => redis.del(pair));
    },
  };
}

/** User names are hashed: they are untrusted input and may be long. */
function keysOf({ username, address }: LoginTry): string[] {
  const tag = `login:{${networkOf(address)}}`;
  const name = createHash('sha256').update(foldedUserName(username)).digest('base64url').slice(0, 22);
  return [`${tag}:user:${name}`, `${tag}:all`];
}
