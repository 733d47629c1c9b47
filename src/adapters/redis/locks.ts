import type { IdSource } from '#kernel/ids.ts';
import type { Locks } from '#ports/lock.ts';
import type { RedisLink } from './client.ts';
import { defineScript } from './script.ts';

const RELEASE = defineScript('release-lock-1.lua');

/** SET NX PX with a token; only its holder releases it. */
export function redisLocks(redis: RedisLink, ids: IdSource): Locks {
  return {
    async acquire(name, ttlMs) {
      const token = ids();
      const answer = await redis.run(client => client.set(`lock:${name}`, token, 'PX', ttlMs, 'NX'));
      return answer === 'OK' ? token : null;
    },
    async release(name, token) {
      await redis.eval(RELEASE, { keys: [`lock:${name}`], args: [token] });
    },
  };
}
