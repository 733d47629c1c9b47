import { randomBytes } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import type { ServerKey } from './ports-server-key.ts';
import type { RedisLink } from './client.ts';
import { SERVER_KEY } from './keys.ts';

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
