import { connectRedis } from '#adapters/redis/client.ts';
import { redisSlotBook } from '#adapters/redis/slot-book.ts';
import type { SlotBook } from '#ports/slot-book.ts';
import { freshRedis } from '../redis.ts';
import { openBook } from './open-book.ts';
import { simulatedSlotBook } from './simulated-slot-book.ts';

/** Stalls of a busy machine are not what these tests are about, ms. */
const TIMEOUT_MS = 20_000;

/** A slot book of one make, for tests that every make must pass. */
export interface BookMaker {
  /** An open, empty book whose reservations live for `leaseMs`. */
  make(leaseMs?: number): Promise<SlotBook>;
  /** The book last made loses its content, as a flushed cache does. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 30_000;

/** The production book and the one that the simulation plays with. */
export const BOOKS: Readonly<Record<'Redis' | 'simulated', () => Promise<BookMaker>>> = {
  async Redis() {
    const fresh = await freshRedis();
    const redis = await connectRedis({ url: fresh.url, connectTimeoutMs: TIMEOUT_MS, commandTimeoutMs: TIMEOUT_MS });
    const wipe = async () => void (await redis.run(client => client.flushdb()));
    return {
      wipe,
      async make(leaseMs = LEASE_MS) {
        await wipe();
        const book = redisSlotBook(redis, { leaseMs });
        await openBook(book);
        return book;
      },
      async close() {
        await redis.close();
        await fresh.release();
      },
    };
  },
  async simulated() {
    let last = simulatedSlotBook({ now: Date.now, leaseMs: LEASE_MS });
    return {
      wipe: async () => last.wipe(),
      async make(leaseMs = LEASE_MS) {
        last = simulatedSlotBook({ now: Date.now, leaseMs });
        await openBook(last);
        return last;
      },
      close: async () => undefined,
    };
  },
};
