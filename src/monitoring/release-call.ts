import { isOpenStatus } from '#actors/intervention/take-over.ts';
import { CalloutError, conflict } from '#kernel/errors.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { type FindCallDeps, getCall, requestIdOf } from '#calls/find-call.ts';
import { type CallChange, callChange } from '#calls/publish-call.ts';
import { type PlaceDeps, placeCalls } from './place-calls.ts';

const RULE = '只有当前监听人可以让出该通话';

export interface ReleaseDeps extends FindCallDeps, AuditDeps, PlaceDeps {}

/**
 * Releases a call from its current monitor; it is not assigned to them again while their presence lasts.
 *
 * Errors: NOT_FOUND; GONE; FORBIDDEN when another user watches it; CONFLICT during the monitor's intervention; CACHE_UNAVAILABLE
 * Source: OCS 4.12
 */
export async function releaseCall(deps: ReleaseDeps, caller: Caller, callKey: string): Promise<{ requestId: string }> {
  const requestId = await requestIdOf(deps, callKey);
  const step = caller.userId === null ? null : await deps.monitors.release(caller.userId, requestId);
  if (step?.outcome === 'intervening') throw intervening();
  if (step?.outcome !== 'released') throw await refusal(deps, requestId);
  await placeCalls(deps, step);
  await audit(deps, caller, { action: 'call.released', targetType: 'call', targetId: requestId, summary: '让出通话的监听' });
  return { requestId };
}

/** A call that does not exist gives NOT_FOUND rather than FORBIDDEN. */
async function refusal(deps: ReleaseDeps, requestId: string): Promise<CalloutError> {
  const { state } = await getCall(deps, requestId);
  return notMonitor(callChange(state), RULE);
}

/**
 * Applies the registry's rule to the call's published state. Errors: FORBIDDEN when another user watches it; CONFLICT during their intervention
 */
export function requireReleasable(
  { monitor, intervention }: Pick<CallChange, 'monitor' | 'intervention'>,
  { userId }: Pick<Caller, 'userId'>,
): void {
  if (userId === null || monitor?.userId !== userId) throw notMonitor({ monitor }, RULE);
  if (intervention?.initiatorId === userId && isOpenStatus(intervention.status)) throw intervening();
}

function intervening(): CalloutError {
  return conflict('INTERVENING', '正在介入该通话，不能让出');
}

/** Refusal of an action that is reserved to the call's monitor, naming that monitor. */
export function notMonitor({ monitor }: Pick<CallChange, 'monitor'>, rule: string): CalloutError {
  if (monitor === null) return new CalloutError('FORBIDDEN', rule);
  return new CalloutError('FORBIDDEN', `该通话由 ${monitor.displayName} 监听：${rule}`, { reason: 'WATCHED_BY_ANOTHER' });
}
