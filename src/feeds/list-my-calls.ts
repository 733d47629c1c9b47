import type { MonitorRegistry, MonitorCapacity } from '#ports/monitor-registry.ts';
import type { Caller } from '#operations/access/caller.ts';
import { type ListLiveCallsDeps, liveCallList, type LiveCallListing, listLiveCalls, readLiveCalls } from './list-live-calls.ts';
import { EVERY_CALL, type LiveCallScope, NOBODY, viewerIdOf } from './live-call-scope.ts';

export interface ListMyCallsDeps extends ListLiveCallsDeps {
  monitors: Pick<MonitorRegistry, 'callsOf' | 'capacity'>;
}

export interface MyCalls extends LiveCallListing {
  scope: LiveCallScope;
  capacity: MonitorCapacity;
}

/**
 * The calls that a user watches or may go on reading; every one for those who may dispatch.
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
 * The calls that are assigned to or retained by a user, whatever else the user may see, and the room for more. Null: there is no user.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.2, D9.4
 */
export async function listAssignedCalls(deps: ListMyCallsDeps, userId: number | null): Promise<Pick<MyCalls, 'calls' | 'capacity'>> {
  const scope: LiveCallScope = { ...EVERY_CALL, viewerId: userId ?? NOBODY };
  const [{ calls }, capacity] = await Promise.all([listVisible(deps, scope), deps.monitors.capacity(userId)]);
  return { calls, capacity };
}

/** The registry nominates, the calls themselves decide: as a stream shows them. */
async function listVisible(deps: ListMyCallsDeps, scope: LiveCallScope): Promise<LiveCallListing> {
  if (scope.viewerId === null) return listLiveCalls(deps, scope);
  const { assigned, retained, past } = await deps.monitors.callsOf(scope.viewerId);
  const calls = await readLiveCalls(deps, [...new Set([...assigned, ...retained, ...past])]);
  return { ...liveCallList(calls.values(), scope, false), at: deps.clock.now() };
}
