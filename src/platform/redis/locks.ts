import type { IdSource } from '#kernel/ids.ts';
import { defineScript, type RedisLink } from './client.ts';

/**
 * Short locks between instances. They only avoid duplicate work; correctness never depends on them.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export interface Locks {
  /** Returns a token, or null when the lock is taken. */
  acquire(name: LockName, ttlMs: number): Promise<string | null>;
  release(name: LockName, token: string): Promise<void>;
}

type LockName = `campaign:${number}` | 'reconciler' | 'retention' | 'call-blocks' | 'transcript-partitions' | `cell:${string}`;

const ACQUIRE = defineScript('acquire-lock-1.lua');
const RELEASE = defineScript('release-lock-1.lua');

/** Limit of remembered tokens per lock; older ones are left to expire. */
const MAX_DOUBTFUL = 8;

/**
 * A key with a token and a time to live; only the holder can release it.
 *
 * Why: if the cache fails during an acquire or a release, it is unknown whether the lock is held. The tokens are remembered, so that this
 *      process can retake the lock at once after the recovery instead of waiting for it to expire
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
