import type { Caller } from '#kernel/caller.ts';
import { type PlaceDeps, placeCalls } from './place-calls.ts';

/**
 * Ends a user's presence at once: their calls move to other monitors, except one whose transfer has begun.
 *
 * Shape:  request ids of the calls that were released
 * Errors: CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.4
 */
export async function leaveMonitoring(deps: PlaceDeps, { userId }: Pick<Caller, 'userId'>): Promise<{ released: string[] }> {
  if (userId === null) return { released: [] };
  const { assigned } = await deps.monitors.callsOf(userId);
  await placeCalls(deps, await deps.monitors.leave(userId));
  const { assigned: kept } = await deps.monitors.callsOf(userId);
  return { released: assigned.filter(requestId => !kept.includes(requestId)) };
}
