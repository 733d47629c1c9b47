import { CalloutError } from '#kernel/errors.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { PoolMember, RuntimePoolPart } from './runtime-pool.ts';
import type { Platform } from '#platform/platform.ts';
import { recordRuntimeUp } from './record-runtimes.ts';

export interface RegisterDeps extends RuntimePoolPart, Pick<Platform, 'wake' | 'clock'> {
  events: Pick<RuntimeEventStore, 'record'>;
}

/**
 * Registers a runtime with its capacity.
 *
 * Errors: RATE_LIMITED when the pool is full; CACHE_UNAVAILABLE
 */
export async function registerRuntime(deps: RegisterDeps, member: PoolMember): Promise<void> {
  const outcome = await deps.pool.beat(member);
  if (outcome === 'full') throw new CalloutError('RATE_LIMITED', '登记的话术运行时过多');
  if (outcome !== 'new') return;
  deps.wake.campaign(null);
  await recordRuntimeUp(deps.events, member, deps.clock.now());
}
