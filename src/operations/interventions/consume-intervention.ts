import { notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import { interventionStatus, type InterventionStatus } from '#actors/intervention/context.ts';
import type { Clock } from '#kernel/clock.ts';
import type { CallHost } from '../calls/call-actor.ts';

export interface ConsumeDeps {
  calls: CallHost;
  clock: Clock;
}

export interface ConsumeAnswer {
  /** True: the runtime transfers the call now. */
  consumed: boolean;
  /** Null: nothing was ever asked. */
  status: InterventionStatus | null;
  agentId: number | null;
  initiatorId: number | null;
}

/**
 * The runtime stands at a node boundary and asks whether to transfer: the same commit decides against a cancel. Asked again, the answer is the same.
 *
 * Errors: NOT_FOUND for an unknown call; CACHE_UNAVAILABLE
 * Source: A7, OCS 3 "node boundary reached"
 */
export async function consumeIntervention(deps: ConsumeDeps, requestId: string, interventionId: string): Promise<ConsumeAnswer> {
  if (!isUuid(requestId)) throw notFound('通话');
  const event = { type: 'interventionConsumed', id: interventionId, at: deps.clock.now() } as const;
  const outcome = await deps.calls.send(requestId.toLowerCase(), event, `consume:${interventionId}`);
  if (outcome.kind === 'absent') throw notFound('通话');
  const { intervention } = outcome.state;
  const isThis = intervention?.context.id === interventionId;
  return {
    consumed: isThis && (intervention.value === 'transferring' || intervention.value === 'active'),
    status: isThis ? interventionStatus(intervention.value) : null,
    agentId: isThis ? intervention.context.agentId : null,
    initiatorId: isThis ? intervention.context.initiatorId : null,
  };
}
