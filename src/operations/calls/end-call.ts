import { notFound } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import { isUuid } from '#kernel/ids.ts';
import type { CallHost } from './call-actor.ts';

export interface EndCallDeps {
  calls: CallHost;
  ids: IdSource;
}

/**
 * Ends a live call at the switch; the actor's effect repeats the order until the switch has it. A call that is over stays over.
 *
 * Errors: NOT_FOUND for an unknown call; CACHE_UNAVAILABLE
 * Source: A4, D9.6
 */
export async function endCall(deps: EndCallDeps, requestId: string, cause: string): Promise<{ requestId: string }> {
  if (!isUuid(requestId)) throw notFound('通话');
  const outcome = await deps.calls.send(requestId.toLowerCase(), { type: 'hangupRequested', cause }, `hangup:${deps.ids()}`);
  if (outcome.kind === 'absent') throw notFound('通话');
  return { requestId: requestId.toLowerCase() };
}
