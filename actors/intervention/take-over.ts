import type { Outgoing } from '#contract/nats/actor-messages.ts';
import { interventionHolder } from '#rules/agent-holder.ts';
import type { InterventionEvent, InterventionTiming } from './events.ts';

type Outcome = 'ended' | 'cancelled' | 'failed' | 'expired';
/** Source: D9.3 */
export type InterventionStatus = 'requested' | 'transferring' | 'active' | Outcome;

/** What a call remembers of the newest claim to take it over; null members before the first. JSON only. Units: instants UTC ms */
export interface TakeOver {
  id: string | null;
  /** Who claimed; null: the runtime transferred without a claim. */
  initiatorId: number | null;
  agentId: number | null;
  requestedAt: number | null;
  consumedAt: number | null;
  endedAt: number | null;
  /** How it ended; null before. */
  outcome: Outcome | null;
  /** Why it is over, Chinese; null before. */
  reason: string | null;
  /** Absent in snapshots of before: `boundary`. */
  when?: InterventionTiming;
  /** The name by which the runtime reports it, where that is another. */
  reportedAs: string | null;
}

/** D9.3: a request that nobody has consumed for so long is over, ms. */
export const CLAIM_EXPIRY_MS = 30_000;

export const NO_CLAIM: TakeOver = {
  id: null,
  initiatorId: null,
  agentId: null,
  requestedAt: null,
  consumedAt: null,
  endedAt: null,
  outcome: null,
  reason: null,
  reportedAs: null,
};

type Named<Type extends InterventionEvent['type']> = Extract<InterventionEvent, { type: Type }>;

export function claimedContext({ id, userId, agentId, when = 'boundary', at }: Named<'interventionClaimed'>): TakeOver {
  return { ...NO_CLAIM, id, initiatorId: userId, agentId, requestedAt: at, when };
}

/** Frees the agent whom the claim has reserved, and who is in no conference; null: it has reserved nobody. */
export function releaseAgent({ id, agentId }: TakeOver): Outgoing | null {
  const event = { type: 'released', holder: interventionHolder(id ?? '') } as const;
  return agentId === null ? null : { to: { type: 'agent', id: String(agentId) }, event };
}

/** Why a take-over is over when nobody says it in words of their own. Source: D9.3 */
export const ENDS = {
  cancelled: { outcome: 'cancelled', reason: '申请人取消了介入' },
  /** Nobody consumed it in time. */
  notTaken: { outcome: 'expired', reason: '30 秒内未能开始转接，申请已失效' },
  leftEarly: { outcome: 'expired', reason: '通话在开始转接前已结束' },
  leftInTransfer: { outcome: 'failed', reason: '通话在坐席接听前已结束' },
  customerGone: { outcome: 'ended', reason: '客户通话已结束' },
  failed: { outcome: 'failed', reason: '坐席未能接听' },
  ended: { outcome: 'ended', reason: '坐席已结束通话' },
} as const satisfies Record<string, { outcome: Outcome; reason: string }>;

/** A fact about the present intervention, under whatever name. */
export function noticedContext(context: TakeOver, event: Named<'interventionNoticed'>): TakeOver {
  return {
    ...context,
    agentId: event.agentId ?? context.agentId,
    consumedAt: context.consumedAt ?? event.at,
    ...overContext(event),
    reportedAs: event.id === context.id ? context.reportedAs : event.id,
  };
}

function overContext({ status, reason, at }: Named<'interventionNoticed'>): Pick<TakeOver, 'endedAt' | 'outcome' | 'reason'> {
  const isOver = status === 'ended' || status === 'failed';
  return isOver ? { endedAt: at, outcome: status, reason: reason ?? ENDS[status].reason } : { endedAt: null, outcome: null, reason: null };
}

/** A transfer that nobody had asked for, or whose request was over; its initiator stays known when it is the same. */
export function unaskedContext(context: TakeOver, event: Named<'interventionNoticed'>): TakeOver {
  const known = isAbout(context, event.id) ? context : { ...NO_CLAIM, id: event.id, requestedAt: event.at };
  return noticedContext(known, event);
}

/** Whether the runtime means the present intervention. */
export function isAbout({ id, reportedAs }: TakeOver, named: string): boolean {
  return named === id || named === reportedAs;
}

/** A take-over as its call holds it. */
export interface TakeOverState {
  value: unknown;
  context: TakeOver;
}

/** Before the first claim. */
export const UNCLAIMED: TakeOverState = { value: 'ended', context: NO_CLAIM };

/** Whether somebody has claimed and it is not over. */
export function isOpen(takeOver: TakeOverState | undefined): boolean {
  return takeOver !== undefined && takeOver.value !== 'ended';
}

/** The same by the status that watchers see. */
export function isOpenStatus(status: InterventionStatus): boolean {
  return status === 'requested' || status === 'transferring' || status === 'active';
}

/** The status that watchers see; null before the first claim (D9.2). */
export function interventionStatus({ value, context }: TakeOverState): InterventionStatus | null {
  if (value === 'requested' || value === 'active') return value;
  return value === 'ended' ? context.outcome : 'transferring';
}
