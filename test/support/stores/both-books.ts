import { connectRedis } from '#adapters/redis/client.ts';
import { redisMonitorBook } from '#adapters/redis/monitor-book.ts';
import { redisRuntimePool } from '#adapters/redis/runtime-pool.ts';
import { redisSlotBook } from '#dialling/redis/slot-book.ts';
import type { MonitorBook } from '#ports/monitor-book.ts';
import type { RuntimePool } from '#ports/runtime-pool.ts';
import type { SlotBook } from '#ports/slot-book.ts';
import { freshRedis } from '../redis.ts';
import { openBook } from './open-book.ts';
import { simulatedMonitorBook } from './simulated-monitor-book.ts';
import { simulatedSlotBook } from './simulated-slot-book.ts';

/** Stalls of a busy machine are not what these tests are about, ms. */
const TIMEOUT_MS = 20_000;

/** A slot book of one make, for tests that every make must pass. */
export interface BookMaker {
  /** An open, empty book whose reservations live for `leaseMs`; runtimes that are silent for `goneAfterMs` are gone. */
  make(leaseMs?: number, goneAfterMs?: number): Promise<SlotBook>;
  /** The runtimes beside the book last made. */
  pool(): RuntimePool;
  /** Who watches, beside the book last made. */
  monitors(): MonitorBook;
  /** The book last made and its monitors lose their content, as a flushed cache does. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 30_000;
/** Longer than any stall. */
const PRESENCE_MS = 3_600_000;

/** The production book and the one that the simulation plays with. */
export const BOOKS: Readonly<Record<'Redis' | 'simulated', () => Promise<BookMaker>>> = {
  async Redis() {
    const fresh = await freshRedis();
    const redis = await connectRedis({ url: fresh.url, connectTimeoutMs: TIMEOUT_MS, commandTimeoutMs: TIMEOUT_MS });
    const wipe = async () => void (await redis.run(client => client.flushdb()));
    let pool = redisRuntimePool(redis, { goneAfterMs: PRESENCE_MS });
    return {
      wipe,
      pool: () => pool,
      monitors: () => redisMonitorBook(redis),
      async make(leaseMs = LEASE_MS, goneAfterMs = PRESENCE_MS) {
        await wipe();
        pool = redisRuntimePool(redis, { goneAfterMs });
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
    const makeBoth = (leaseMs: number, goneAfterMs: number) => {
      const book = simulatedSlotBook({ now: Date.now, leaseMs, goneAfterMs });
      return { book, monitors: simulatedMonitorBook({ now: Date.now, slots: book }) };
    };
    let last = makeBoth(LEASE_MS, PRESENCE_MS);
    return {
      monitors: () => last.monitors,
      pool: () => last.book.pool,
      async wipe() {
        last.book.wipe();
        last.monitors.wipe();
      },
      async make(leaseMs = LEASE_MS, goneAfterMs = PRESENCE_MS) {
        last = makeBoth(leaseMs, goneAfterMs);
        await openBook(last.book);
        return last.book;
      },
      close: async () => undefined,
    };
  },
};
