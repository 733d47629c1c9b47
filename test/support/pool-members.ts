import { randomUUID } from 'node:crypto';
import { redisRuntimePool } from '#runtimes/runtime-pool-store.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import type { PoolMember, RuntimePool } from '#runtimes/runtime-pool.ts';
import type { TestServer } from './server.ts';
import { waitUntil } from './wait-until.ts';

/** Lifetime of a presence, longer than any stall, because these runtimes send no heartbeats, ms. */
const PRESENCE_MS = 3_600_000;

export function poolMember(overrides: Partial<PoolMember> = {}): PoolMember {
  return {
    runtimeId: 'runtime-1',
    name: '话术引擎',
    version: '1.2.3',
    contract: 1,
    maxCalls: 10,
    active: 0,
    isDraining: false,
    resumes: false,
    nodeTypes: ['say'],
    ...overrides,
  };
}

/** The runtime pool of a test server; registered runtimes never expire. */
export function poolOf(server: TestServer): RuntimePool {
  return redisRuntimePool(server.running.context.redis, { goneAfterMs: PRESENCE_MS });
}

/** Reserves a slot for a call and its place at a runtime. */
export async function holdPlace(server: TestServer, runtimeId: string): Promise<void> {
  const registry = redisSlotRegistry(server.running.context.redis, { leaseMs: PRESENCE_MS });
  const requestId = randomUUID();
  const request = {
    campaignId: 1,
    weight: 1,
    campaignMax: 1_000,
    callIntervalMs: 0,
    lines: [{ lineId: 1, max: 1_000, mode: 'single_shared' as const, numbers: [], sharedNumber: '02100000000' }],
    cells: [{ cellId: 'c1', max: 0, maxPerSecond: 1_000 }],
    requestIds: [requestId],
  };
  // Right after the start the slot registry is still being rebuilt.
  await waitUntil('a slot for a call', async () => (await registry.reserve(request)).grants.length === 1);
  await poolOf(server).hold([{ requestId, runtimeId }]);
}
