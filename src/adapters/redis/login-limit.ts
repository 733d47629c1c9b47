import { createHash } from 'node:crypto';
import type { IdSource } from '#kernel/ids.ts';
import { networkOf } from '#kernel/network.ts';
import type { LoginLimit, LoginTry } from '#ports/login-limit.ts';
import type { RedisLink } from './client.ts';
import { defineScript } from './script.ts';

const MINUTE_MS = 60_000;
const PAIR = { failures: 5, windowMs: 15 * MINUTE_MS };
const ADDRESS = { failures: 30, windowMs: 5 * MINUTE_MS };
/** More failures than the larger limit change nothing. */
const KEPT_FAILURES = 64;

const checkLogin = defineScript('check-login-2.lua');
const failLogin = defineScript('fail-login-2.lua');

/** Source: D3.3 */
export function redisLoginLimit(link: RedisLink, ids: IdSource): LoginLimit {
  return {
    async blockedForSeconds(attempt) {
      const args = [PAIR.failures, PAIR.windowMs, ADDRESS.failures, ADDRESS.windowMs];
      const waitMs = Number(await link.eval(checkLogin, { keys: keysOf(attempt), args }));
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : null;
    },
    async recordFailure(attempt) {
      await link.eval(failLogin, { keys: keysOf(attempt), args: [PAIR.windowMs, ADDRESS.windowMs, ids(), KEPT_FAILURES] });
    },
    async forgive(attempt) {
      const [pair = ''] = keysOf(attempt);
      await link.run(redis => redis.del(pair));
    },
  };
}

/** Names are hashed: they come from outside and may be long. */
function keysOf({ username, address }: LoginTry): string[] {
  const tag = `login:{${networkOf(address)}}`;
  const name = createHash('sha256').update(username.trim().toLowerCase()).digest('base64url').slice(0, 22);
  return [`${tag}:user:${name}`, `${tag}:all`];
}
