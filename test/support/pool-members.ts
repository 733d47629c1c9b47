import { redisRuntimePool } from '#adapters/redis/runtime-pool.ts';
import type { PoolMember, RuntimePool } from '#ports/runtime-pool.ts';
import type { TestServer } from './server.ts';

/** Longer than any stall: these runtimes send no beats. */
const PRESENCE_MS = 3_600_000;

export function poolMember(overrides: Partial<PoolMember> = {}): PoolMember {
  return {
    runtimeId: 'runtime-1',
    name: '话术运行时',
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

/** The pool of a test's server, in which who has come stays. */
export function poolOf(server: TestServer): RuntimePool {
  return redisRuntimePool(server.running.context.redis, { goneAfterMs: PRESENCE_MS });
}
