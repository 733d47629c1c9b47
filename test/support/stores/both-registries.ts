import { connectRedis } from '#platform/redis/client.ts';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import type { MonitorRegistry } from '#monitoring/monitor-registry.ts';
import type { RuntimePool } from '#runtimes/runtime-pool.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import { freshRedis } from '../redis.ts';
import { openRegistry } from './open-registry.ts';
import { simulatedMonitorRegistry } from './simulated-monitor-registry.ts';
import { simulatedSlotRegistry } from './simulated-slot-registry.ts';

/** Timeout that a stall of a busy machine does not reach, ms. */
const TIMEOUT_MS = 20_000;

/** Creates slot registries of one implementation, for tests that every implementation must pass. */
export interface RegistryMaker {
  /** Creates an open, empty registry. Reservations expire after `leaseMs`; a runtime silent for `goneAfterMs` counts as gone. */
  make(leaseMs?: number, goneAfterMs?: number): Promise<SlotRegistry>;
  /** Runtime pool of the latest registry. */
  pool(): RuntimePool;
  /** Monitor registry of the latest slot registry. */
  monitors(): MonitorRegistry;
  /** Empties the latest registry and its monitors, like a flushed cache. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 30_000;
/** Longer than any stall of the machine, ms. */
const PRESENCE_MS = 3_600_000;

/** The production registry and the one that the simulation uses. */
export const REGISTRIES: Readonly<Record<'Redis' | 'simulated', () => Promise<RegistryMaker>>> = {
  async Redis() {
    const fresh = await freshRedis();
    const redis = await connectRedis({ url: fresh.url, connectTimeoutMs: TIMEOUT_MS, commandTimeoutMs: TIMEOUT_MS });
    const wipe = async () => void (await redis.run(client => client.flushdb()));
    let pool = redisRuntimePool(redis, { goneAfterMs: PRESENCE_MS });
    return {
      wipe,
      pool: () => pool,
      monitors: () => redisMonitorRegistry(redis),
      async make(leaseMs = LEASE_MS, goneAfterMs = PRESENCE_MS) {
        await wipe();
        pool = redisRuntimePool(redis, { goneAfterMs });
        const registry = redisSlotRegistry(redis, { leaseMs });
        await openRegistry(registry);
        return registry;
      },
      async close() {
        await redis.close();
        await fresh.release();
      },
    };
  },
  async simulated() {
    const makeBoth = (leaseMs: number, goneAfterMs: number) => {
      const registry = simulatedSlotRegistry({ now: Date.now, leaseMs, goneAfterMs });
      return { registry, monitors: simulatedMonitorRegistry({ now: Date.now, slots: registry }) };
    };
    let last = makeBoth(LEASE_MS, PRESENCE_MS);
    return {
      monitors: () => last.monitors,
      pool: () => last.registry.pool,
      async wipe() {
        last.registry.wipe();
        last.monitors.wipe();
      },
      async make(leaseMs = LEASE_MS, goneAfterMs = PRESENCE_MS) {
        last = makeBoth(leaseMs, goneAfterMs);
        await openRegistry(last.registry);
        return last.registry;
      },
      close: async () => undefined,
    };
  },
};
