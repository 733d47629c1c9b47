import { auditCaptionsRead } from '#calls/audit-watch.ts';
import type { LiveCall } from '#calls/live-call.ts';
import { EVERY_CALL, shows, viewerIdOf } from '#calls/live-call-scope.ts';
import type { GraphContext } from './context.ts';

/** A live call, if the caller may see it; returning it counts as reading its captions, which is audited (D3.7). */
export async function findLiveCall({ deps, caller, loaders }: GraphContext, requestId: string): Promise<LiveCall | null> {
  const call = await loaders.liveCalls.load(requestId);
  const scope = { ...EVERY_CALL, viewerId: viewerIdOf(caller) };
  if (!call || !caller || !shows(scope, call)) return null;
  await auditCaptionsRead(deps, caller, scope);
  return call;
}
