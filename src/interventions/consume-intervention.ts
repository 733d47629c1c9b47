import { notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import { interventionStatus, type InterventionStatus } from '#actors/intervention/take-over.ts';
import type { Platform } from '#platform/platform.ts';
import { type AuditDeps, type AuditEntry, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { CallHost } from '#calls/call-actor.ts';

export interface ConsumeAnswer {
  /** Whether the runtime transfers the call now. */
  consumed: boolean;
  /** Null when there was no such request. */
  status: InterventionStatus | null;
  agentId: number | null;
  initiatorId: number | null;
}

/**
 * Decides whether a runtime that has reached a node boundary transfers the call: the same commit decides between transfer and cancel. A repeated
 * request gets the same response.
 *
 * Errors: NOT_FOUND for an unknown call; CACHE_UNAVAILABLE
 * Source: A7, OCS 3 "node boundary reached"
 */
export async function consumeIntervention(
  deps: AuditDeps & Pick<Platform, 'clock'> & { calls: CallHost },
  caller: Caller,
  requestId: string,
  interventionId: string,
): Promise<ConsumeAnswer> {
  if (!isUuid(requestId)) throw notFound('通话');
  const event = { type: 'interventionConsumed', id: interventionId, at: deps.clock.now() } as const;
  const outcome = await deps.calls.send(requestId.toLowerCase(), event, `consume:${interventionId}`);
  if (outcome.kind === 'absent') throw notFound('通话');
  if (outcome.kind === 'applied') await audit(deps, caller, consumed(requestId.toLowerCase(), interventionId));
  const { intervention } = outcome.state;
  const isThis = intervention?.context.id === interventionId;
  const status = isThis ? interventionStatus(intervention) : null;
  return {
    consumed: status === 'transferring' || status === 'active',
    status,
    agentId: isThis ? intervention.context.agentId : null,
    initiatorId: isThis ? intervention.context.initiatorId : null,
  };
}

function consumed(requestId: string, interventionId: string): AuditEntry {
  return {
    action: 'intervention.consumed',
    targetType: 'call',
    targetId: requestId,
    summary: '话术运行时开始转接',
    detail: { interventionId },
  };
}
