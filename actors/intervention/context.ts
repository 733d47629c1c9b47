import type { Outgoing } from '#contract/nats/actor-messages.ts';
import { interventionHolder } from '#rules/agent-holder.ts';
import type { InterventionEvent, InterventionTiming } from './events.ts';

/** Source: D9.3 */
export type InterventionStatus = 'requested' | 'transferring' | 'active' | 'ended' | 'cancelled' | 'failed' | 'expired';

/** What an intervention remembers; null members before the first claim. JSON only. Units: instants UTC ms */
export interface InterventionContext {
  id: string | null;
  /** Who claimed; null: the runtime transferred without a claim. */
  initiatorId: number | null;
  agentId: number | null;
  requestedAt: number | null;
  consumedAt: number | null;
  endedAt: number | null;
  /** Why it is over, Chinese; null before. */
  reason: string | null;
  /** Absent in snapshots of before: `boundary`. */
  when?: InterventionTiming;
  /** The name by which the runtime reports it, where that is another. */
  reportedAs: string | null;
}

export const NO_INTERVENTION: InterventionContext = {
  id: null,
  initiatorId: null,
  agentId: null,
  requestedAt: null,
  consumedAt: null,
  endedAt: null,
  reason: null,
  reportedAs: null,
};

type Named<Type extends InterventionEvent['type']> = Extract<InterventionEvent, { type: Type }>;

export function claimedContext({ id, userId, agentId, when = 'boundary', at }: Named<'interventionClaimed'>): InterventionContext {
  return { ...NO_INTERVENTION, id, initiatorId: userId, agentId, requestedAt: at, when };
}

/** Frees the agent whom the claim has reserved, and who is in no conference; null: it has reserved nobody. */
export function releaseAgent({ id, agentId }: InterventionContext): Outgoing | null {
  const event = { type: 'released', holder: interventionHolder(id ?? '') } as const;
  return agentId === null ? null : { to: { type: 'agent', id: String(agentId) }, event };
}

/** Why an intervention is over when nobody says it in words of their own. Source: D9.3 */
export const ENDS = {
  cancelled: '申请人取消了介入',
  /** Nobody consumed it in time. */
  notTaken: '30 秒内未能开始转接，申请已失效',
  leftEarly: '通话在开始转接前已结束',
  leftInTransfer: '通话在坐席接听前已结束',
  customerGone: '客户通话已结束',
  failed: '坐席未能接听',
  ended: '坐席已结束通话',
} as const;

/** A fact about the present intervention, under whatever name. */
export function noticedContext(context: InterventionContext, event: Named<'interventionNoticed'>): InterventionContext {
  return {
    ...context,
    agentId: event.agentId ?? context.agentId,
    consumedAt: context.consumedAt ?? event.at,
    ...overContext(event),
    reportedAs: event.id === context.id ? context.reportedAs : event.id,
  };
}

function overContext({ status, reason, at }: Named<'interventionNoticed'>): Pick<InterventionContext, 'endedAt' | 'reason'> {
  return status === 'ended' || status === 'failed' ? { endedAt: at, reason: reason ?? ENDS[status] } : { endedAt: null, reason: null };
}

/** A transfer that nobody had asked for, or whose request was over; its initiator stays known when it is the same. */
export function unaskedContext(context: InterventionContext, event: Named<'interventionNoticed'>): InterventionContext {
  const known = isAbout(context, event.id) ? context : { ...NO_INTERVENTION, id: event.id, requestedAt: event.at };
  return noticedContext(known, event);
}

/** Whether the runtime means the present intervention. */
export function isAbout({ id, reportedAs }: InterventionContext, named: string): boolean {
  return named === id || named === reportedAs;
}

/** Whether somebody has claimed and it is not over. */
export function isOpen(value: unknown): boolean {
  return value === 'requested' || value === 'transferring' || value === 'active';
}

/** The status that watchers see; null before the first claim (D9.2). */
export function interventionStatus(value: unknown): InterventionStatus | null {
  return value === 'idle' ? null : (value as InterventionStatus);
}
