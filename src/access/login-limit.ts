import { createHash } from 'node:crypto';
import type { IdSource } from '#kernel/ids.ts';
import { networkOf } from '#kernel/network.ts';
import { foldedUserName } from '#kernel/user-name.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';

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
