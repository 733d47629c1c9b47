import { notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { CallHost } from './call-actor.ts';

export interface EndCallDeps extends AuditDeps, Pick<Platform, 'ids'> {
  calls: CallHost;
}

export interface EndedCall {
  requestId: string;
  /** `ended`: the switch is ordered to end it. `alreadyEnded`: the channel is gone. */
  outcome: 'ended' | 'alreadyEnded';
}

/**
 * Ends a live call at the switch; the actor's effect retries until the switch has received the order. A call that has ended stays as it is.
 *
 * Errors: NOT_FOUND for an unknown call; CACHE_UNAVAILABLE; DATABASE_UNAVAILABLE
 * Source: A4, D9.6
 */
export async function endCall(deps: EndCallDeps, caller: Caller, requestId: string, cause: string): Promise<EndedCall> {
  if (!isUuid(requestId)) throw notFound('通话');
  const id = requestId.toLowerCase();
  const outcome = await deps.calls.send(id, { type: 'hangupRequested', cause, by: 'bot' }, `hangup:${deps.ids()}`);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind !== 'applied') return { requestId: id, outcome: 'alreadyEnded' };
  const detail = { hangupCause: cause };
  await audit(deps, caller, { action: 'call.hung_up', targetType: 'call', targetId: id, summary: '话术运行时挂断通话', detail });
  return { requestId: id, outcome: 'ended' };
}
