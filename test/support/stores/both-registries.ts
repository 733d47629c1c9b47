import { connectRedis } from '#adapters/redis/client.ts';
import { redisMonitorRegistry } from '#adapters/redis/monitor-registry.ts';
import { redisRuntimePool } from '#adapters/redis/runtime-pool.ts';
import { redisSlotRegistry } from '#dialling/redis/slot-registry.ts';
import type { MonitorRegistry } from '#ports/monitor-registry.ts';
import type { RuntimePool } from '#ports/runtime-pool.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';
import { freshRedis } from '../redis.ts';
import { openRegistry } from './open-registry.ts';
import { simulatedMonitorRegistry } from './simulated-monitor-registry.ts';
import { simulatedSlotRegistry } from './simulated-slot-registry.ts';

/** Stalls of a busy machine are not what these tests are about, ms. */
const TIMEOUT_MS = 20_000;

/** A slot registry of one make, for tests that every make must pass. */
export interface RegistryMaker {
  /** An open, empty registry whose reservations live for `leaseMs`; runtimes that are silent for `goneAfterMs` are gone. */
  make(leaseMs?: number, goneAfterMs?: number): Promise<SlotRegistry>;
  /** The runtimes beside the registry last made. */
  pool(): RuntimePool;
  /** Who watches, beside the registry last made. */
  monitors(): MonitorRegistry;
  /** The registry last made and its monitors lose their content, as a flushed cache does. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 30_000;
/** Longer than any stall. */
const PRESENCE_MS = 3_600_000;

/** The production registry and the one that the simulation plays with. */
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
