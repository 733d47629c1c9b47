import type { IdSource } from '#kernel/ids.ts';
import type { LockName, Locks } from '#ports/lock.ts';
import type { RedisLink } from './client.ts';
import { defineScript } from './script.ts';

const ACQUIRE = defineScript('acquire-lock-1.lua');
const RELEASE = defineScript('release-lock-1.lua');

/** Tokens of one lock that are remembered; older ones end with their life. */
const MAX_DOUBTFUL = 8;

/**
 * A key with a token and a life; only its holder releases it.
 *
 * Why: when the cache goes away in the middle of an acquire or a release, nobody knows whether the lock stands. Its tokens are remembered, so that
 *      the same process takes it again at once after the return instead of waiting for the lock's life to end
 */
export function redisLocks(redis: RedisLink, ids: IdSource): Locks {
  const doubtful = new Map<LockName, string[]>();
  const doubt = (name: LockName, token: string) => doubtful.set(name, [...(doubtful.get(name) ?? []), token].slice(-MAX_DOUBTFUL));
  return {
    async acquire(name, ttlMs) {
      const token = ids();
      try {
        const taken = await redis.eval(ACQUIRE, { keys: [`lock:${name}`], args: [token, ttlMs, ...(doubtful.get(name) ?? [])] });
        if (taken !== 1) return null;
        doubtful.delete(name);
        return token;
      } catch (error) {
        doubt(name, token);
        throw error;
      }
    },
    async release(name, token) {
      try {
        await redis.eval(RELEASE, { keys: [`lock:${name}`], args: [token] });
      } catch (error) {
        doubt(name, token);
        throw error;
      }
    },
  };
}
