import { redisActorStore } from '#platform/redis/actor-store.ts';
import { connectRedis } from '#platform/redis/client.ts';
import type { ActorStore, JournalReader } from '#platform/actor-host/actor-store.ts';
import { freshRedis } from '../redis.ts';
import { simulatedActorStore } from './simulated-actor-store.ts';

/** Timeout that a stall of a busy machine does not reach, ms. */
const TIMEOUT_MS = 20_000;

export interface OpenActorStore {
  store: ActorStore & JournalReader;
  /** Deletes every actor. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** The production store of call actors and the one that the simulation uses. */
export const ACTOR_STORES: Readonly<Record<'Redis' | 'simulated', () => Promise<OpenActorStore>>> = {
  async Redis() {
    const fresh = await freshRedis();
    const redis = await connectRedis({ url: fresh.url, connectTimeoutMs: TIMEOUT_MS, commandTimeoutMs: TIMEOUT_MS });
    return {
      store: redisActorStore(redis),
      empty: async () => void (await redis.run(client => client.flushdb())),
      async close() {
        await redis.close();
        await fresh.release();
      },
    };
  },
  async simulated() {
    const store = simulatedActorStore({ now: Date.now });
    return { store, empty: async () => store.wipe(), close: async () => undefined };
  },
};
