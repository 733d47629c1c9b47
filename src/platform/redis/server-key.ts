import { randomBytes } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import type { RedisLink } from './client.ts';
import { SERVER_KEY } from './keys.ts';

/**
 * A secret shared by the servers only; the internal token is known to the runtimes as well.
 *
 * Why:    it is stored with the actors' state, since access to either gives access to the other
 * Errors: CACHE_UNAVAILABLE
 */
export interface ServerKey {
  read(): Promise<string>;
  /** To be called after a failed verification: the next `read` loads the key again, but at most once per second. */
  forget(): void;
}

const KEY_BYTES = 32;
const MIN_AGE_MS = 1_000;

/** The key created by the first server. After a wipe each server keeps its copy until a signature is rejected, then reads the new key. */
export function redisServerKey(redis: RedisLink, clock: Pick<Clock, 'monotonic'>): ServerKey {
  let known: { key: string; readAt: number } | null = null;
  return {
    async read() {
      if (known !== null) return known.key;
      const made = randomBytes(KEY_BYTES).toString('base64url');
      await redis.run(client => client.set(SERVER_KEY, made, 'NX'));
      const key = (await redis.run(client => client.get(SERVER_KEY))) ?? made;
      known = { key, readAt: clock.monotonic() };
      return key;
    },
    forget() {
      if (known !== null && clock.monotonic() - known.readAt >= MIN_AGE_MS) known = null;
    },
  };
}
