import type { MonitorRegistry, MonitorCapacity } from './monitor-registry.ts';
import type { Caller } from '#kernel/caller.ts';
import { type ListLiveCallsDeps, liveCallList, type LiveCallListing, listLiveCalls, readLiveCalls } from '#calls/list-live-calls.ts';
import { EVERY_CALL, type LiveCallScope, NOBODY, viewerIdOf } from '#calls/live-call-scope.ts';

export interface ListMyCallsDeps extends ListLiveCallsDeps {
  monitors: Pick<MonitorRegistry, 'callsOf' | 'capacity'>;
}

export interface MyCalls extends LiveCallListing {
  scope: LiveCallScope;
  capacity: MonitorCapacity;
}

/**
 * Calls that the caller monitors or may still read; every call for callers who may dispatch.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.2
 */
export async function listMyCalls(deps: ListMyCallsDeps, caller: Caller, campaignId: number | null): Promise<MyCalls> {
  const scope: LiveCallScope = { campaignId, requestId: null, viewerId: viewerIdOf(caller) };
  const [list, capacity] = await Promise.all([listVisible(deps, scope), deps.monitors.capacity(caller.userId)]);
  return { ...list, scope, capacity };
}

/**
 * Calls assigned to or retained by a user, whatever else that user may see, with the capacity; `userId` is null when there is no user.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.2, D9.4
 */
export async function listAssignedCalls(deps: ListMyCallsDeps, userId: number | null): Promise<Pick<MyCalls, 'calls' | 'capacity'>> {
  const scope: LiveCallScope = { ...EVERY_CALL, viewerId: userId ?? NOBODY };
  const [{ calls }, capacity] = await Promise.all([listVisible(deps, scope), deps.monitors.capacity(userId)]);
  return { calls, capacity };
}

/** Takes candidates from the registry and filters them by the calls themselves, as a stream does. */
async function listVisible(deps: ListMyCallsDeps, scope: LiveCallScope): Promise<LiveCallListing> {
  if (scope.viewerId === null) return listLiveCalls(deps, scope);
  const { assigned, retained, past } = await deps.monitors.callsOf(scope.viewerId);
  const calls = await readLiveCalls(deps, [...new Set([...assigned, ...retained, ...past])]);
  return { ...liveCallList(calls.values(), scope, false), at: deps.clock.now() };
}
