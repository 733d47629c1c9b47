import { hasLeft } from '#actors/call/stage.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type CalloutError, conflict, notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { parseMeta, type CallsPart } from './call-actor.ts';
import { getCall, requestIdOf } from './find-call.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';

interface EndedCall {
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
export async function endCall(
  app: AuditPart & Pick<CallsPart, 'calls'> & Pick<Platform, 'ids'>,
  caller: Caller,
  requestId: string,
  cause: string,
): Promise<EndedCall> {
  if (!isUuid(requestId)) throw notFound('通话');
  const id = requestId.toLowerCase();
  const outcome = await app.calls.send(id, { type: 'hangupRequested', cause, by: 'bot' }, `hangup:${app.ids()}`);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind !== 'applied') return { requestId: id, outcome: 'alreadyEnded' };
  const detail = { hangupCause: cause };
  await audit(app, caller, { action: 'call.hung_up', targetType: 'call', targetId: id, summary: '话术引擎挂断通话', detail });
  return { requestId: id, outcome: 'ended' };
}

const CAUSE = 'NORMAL_CLEARING';

/**
 * Ends the whole customer call at the switch for a supervisor, with their reason. The runtime is notified as of any hang-up.
 *
 * Errors: NOT_FOUND; GONE; CONFLICT when the call has ended; SWITCH_UNAVAILABLE; CACHE_UNAVAILABLE
 * Source: OCS 4.12, D9.6, D14.3 `supervisor.hangup`
 */
export async function hangUpCall(
  app: CallsPart & OutcomesPart & AuditPart & RuntimeEventsPart & Pick<Platform, 'db' | 'switchPort' | 'clock'>,
  caller: Caller,
  callKey: string,
  reason = '',
): Promise<{ requestId: string; hangupCause: string }> {
  const requestId = await requestIdOf(app, callKey);
  const { state, meta } = await getCall(app, requestId);
  const call = parseMeta(meta);
  requireStanding({ hasLeft: hasLeft(state) });
  if (!call) throw callOver();
  if ((await app.switchPort.hangup(call.cellId, requestId, CAUSE)) === 'absent')
    throw conflict('CALL_ENDED', '通话不在交换机上，可能已结束');
  const { campaignId, attemptId, cellId } = call;
  await audit(app, caller, {
    action: 'call.hung_up',
    targetType: 'call',
    targetId: requestId,
    summary: '主管挂断通话',
    detail: { attemptId, campaignId, hangupCause: CAUSE, ...(reason && { reason }) },
  });
  // Informational: the supervisor knows, and no other user has to act.
  await app.events.record({
    level: 'info',
    type: 'supervisor.hangup',
    title: '主管挂断通话',
    message: reason ? `${caller.name} 挂断了通话：${reason}` : `${caller.name} 挂断了通话`,
    campaignId,
    attemptId,
    cellId,
    detail: { requestId, userId: caller.userId, by: caller.name, hangupCause: CAUSE, ...(reason && { reason }) },
  });
  return { requestId, hangupCause: CAUSE };
}

/** Errors: CONFLICT when the channel is known to be gone */
export function requireStanding({ hasLeft }: { hasLeft: boolean }): void {
  if (hasLeft) throw callOver();
}

function callOver(): CalloutError {
  return conflict('CALL_ENDED', '通话已结束');
}
