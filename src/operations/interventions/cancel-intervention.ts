import { isLive } from '#actors/call/stage.ts';
import { isOpen } from '#actors/intervention/context.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import { audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { CallState } from '../calls/call-aggregate.ts';
import { requestIdOf, sendToCall } from '../calls/find-call.ts';
import { type InterventionAnswer, type InterventionDeps, interventionOf } from './claim-intervention.ts';

/**
 * The initiator takes a request back, while nothing has been transferred.
 *
 * Errors: NOT_FOUND; GONE; FORBIDDEN for another user; CONFLICT when nothing is asked or the transfer has begun; CACHE_UNAVAILABLE
 * Source: OCS 3, 4.12, D9.3
 */
export async function cancelIntervention(
  deps: Omit<InterventionDeps, 'agentDesks' | 'agentReservations' | 'conferences'>,
  caller: Caller,
  callKey: string,
): Promise<InterventionAnswer> {
  const requestId = await requestIdOf(deps, callKey);
  const event = { type: 'interventionCancelled', userId: caller.userId, at: deps.clock.now() } as const;
  const outcome = await sendToCall(deps, requestId, { event, commandId: `cancel:${deps.ids()}` });
  if (outcome.kind === 'ignored') throw refusalOf(outcome.state, caller);
  const intervention = interventionOf(outcome.state);
  await audit(deps, caller, {
    action: 'intervention.cancelled',
    targetType: 'call',
    targetId: requestId,
    summary: '取消人工介入申请',
    detail: { interventionId: intervention.id },
  });
  return { requestId, intervention };
}

function refusalOf(state: CallState, { userId }: Caller): CalloutError {
  const { intervention } = state;
  const isOthers = intervention !== undefined && intervention.context.initiatorId !== userId;
  if (isOthers) return new CalloutError('FORBIDDEN', '只有申请人可以取消人工介入');
  if (!isLive(state) || !isOpen(intervention?.value)) return conflict('没有可以取消的人工介入申请');
  return conflict('人工介入已开始转接，不能取消');
}
