import type { MonitorBook, MonitorCapacity } from '#ports/monitor-book.ts';
import type { Caller } from '../access/caller.ts';
import { type ListLiveCallsDeps, liveCallList, type LiveCallList, listLiveCalls, readLiveCalls } from './list-live-calls.ts';
import type { LiveCall } from './live-call.ts';

export interface ListMyCallsDeps extends ListLiveCallsDeps {
  monitors: Pick<MonitorBook, 'callsOf' | 'capacity'>;
}

/** Who looks at live calls, and which of them they may see. */
export type Viewer = Pick<Caller, 'userId' | 'permissions'>;

/**
 * The calls that a user watches or may go on reading; every one for those who may dispatch.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.2
 */
export async function listMyCalls(
  deps: ListMyCallsDeps,
  viewer: Viewer,
  campaignId: number | null,
): Promise<LiveCallList & { capacity: MonitorCapacity }> {
  const [list, capacity] = await Promise.all([listVisible(deps, viewer, campaignId), deps.monitors.capacity(viewer.userId)]);
  return { ...list, capacity };
}

async function listVisible(deps: ListMyCallsDeps, viewer: Viewer, campaignId: number | null): Promise<LiveCallList> {
  if (seesAll(viewer)) return listLiveCalls(deps, campaignId);
  const at = deps.clock.now();
  if (viewer.userId === null) return { calls: [], truncated: false, at };
  const { assigned, retained } = await deps.monitors.callsOf(viewer.userId);
  const calls = await readLiveCalls(deps, [...new Set([...assigned, ...retained])]);
  return liveCallList(calls.values(), campaignId, { truncated: false, at });
}

export function seesAll({ permissions }: Pick<Viewer, 'permissions'>): boolean {
  return permissions.has('campaign:dispatch');
}

/** Whether a viewer may see a call as it now is: the same rule for lists and streams. */
export function maySee(viewer: Viewer, call: Pick<LiveCall, 'monitor' | 'retainedBy'>): boolean {
  return seesAll(viewer) || (viewer.userId !== null && (call.monitor?.userId === viewer.userId || call.retainedBy.includes(viewer.userId)));
}

/** Read-only for whoever has stepped into another call meanwhile (OCS 4.12 rule 3). */
export function viewModeOf({ userId }: Pick<Viewer, 'userId'>, call: Pick<LiveCall, 'monitor' | 'retainedBy'>): 'active' | 'retained' {
  return userId !== null && call.monitor?.userId !== userId && call.retainedBy.includes(userId) ? 'retained' : 'active';
}
