import type { IdSource } from '#kernel/ids.ts';
import type { Locks } from '#platform/redis/locks.ts';

export interface SimulatedLocks extends Locks {
  wipe(): void;
}

/** SET NX PX with a token, in memory. */
export function simulatedLocks(options: { now: () => number; ids: IdSource }): SimulatedLocks {
  const locks = new Map<string, { token: string; until: number }>();
  return {
    async acquire(name, ttlMs) {
      const held = locks.get(name);
      if (held && held.until > options.now()) return null;
      const token = options.ids();
      locks.set(name, { token, until: options.now() + ttlMs });
      return token;
    },
    async release(name, token) {
      if (locks.get(name)?.token === token) locks.delete(name);
    },
    wipe: () => locks.clear(),
  };
}
