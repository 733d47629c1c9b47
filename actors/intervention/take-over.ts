import type { Outgoing } from '#protocol/actor-messages.ts';
import { interventionHolder } from '#agents/agent.ts';
import type { InterventionTiming, TakeOverEvent } from './events.ts';

type Outcome = 'ended' | 'cancelled' | 'failed' | 'expired';
/** Source: D9.3 */
export type InterventionStatus = 'requested' | 'transferring' | 'active' | Outcome;

/** Latest claim to take over a call; members are null before the first. JSON only. Units: instants UTC ms */
export interface TakeOver {
  id: string | null;
  /** Claiming user; null when the runtime transferred without a claim. */
  initiatorId: number | null;
  agentId: number | null;
  requestedAt: number | null;
  consumedAt: number | null;
  endedAt: number | null;
  /** Outcome; null before the end. */
  outcome: Outcome | null;
  /** Reason for the end, in Chinese; null before. */
  reason: string | null;
  /** Absent in old snapshots: `boundary`. */
  when?: InterventionTiming;
  /** Id under which the runtime reports the intervention, if different. */
  reportedAs: string | null;
}

/** Time after which an unconsumed request expires, ms (D9.3). */
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

type Named<Type extends TakeOverEvent['type']> = Extract<TakeOverEvent, { type: Type }>;

export function claimedContext({ id, userId, agentId, when = 'boundary', at }: Named<'interventionClaimed'>): TakeOver {
  return { ...NO_CLAIM, id, initiatorId: userId, agentId, requestedAt: at, when };
}

/** Releases the agent that the claim has reserved, if it is in no conference; null when none is reserved. */
export function releaseAgent({ id, agentId }: TakeOver): Outgoing | null {
  const event = { type: 'released', holder: interventionHolder(id ?? '') } as const;
  return agentId === null ? null : { to: { type: 'agent', id: String(agentId) }, event };
}

/** Default outcomes and reasons of a take-over's end. Source: D9.3 */
export const ENDS = {
  cancelled: { outcome: 'cancelled', reason: '申请人取消了介入' },
  /** Not consumed in time. */
  notTaken: { outcome: 'expired', reason: '30 秒内未能开始转接，申请已失效' },
  leftEarly: { outcome: 'expired', reason: '通话在开始转接前已结束' },
  leftInTransfer: { outcome: 'failed', reason: '通话在坐席接听前已结束' },
  customerGone: { outcome: 'ended', reason: '客户通话已结束' },
  failed: { outcome: 'failed', reason: '坐席未能接听' },
  ended: { outcome: 'ended', reason: '坐席已结束通话' },
  handedBack: { outcome: 'ended', reason: '已交还给机器人' },
} as const satisfies Record<string, { outcome: Outcome; reason: string }>;

/** Records a fact about the current intervention, under whatever id. */
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

/** Records a transfer without a pending request; keeps the initiator if it is the same intervention. */
export function unaskedContext(context: TakeOver, event: Named<'interventionNoticed'>): TakeOver {
  const known = isAbout(context, event.id) ? context : { ...NO_CLAIM, id: event.id, requestedAt: event.at };
  return noticedContext(known, event);
}

/** Whether an id reported by the runtime means the current intervention. */
export function isAbout({ id, reportedAs }: TakeOver, named: string): boolean {
  return named === id || named === reportedAs;
}

/** A take-over as stored in its call. */
export interface TakeOverState {
  value: unknown;
  context: TakeOver;
}

/** The state before the first claim. */
export const UNCLAIMED: TakeOverState = { value: 'ended', context: NO_CLAIM };

/** Whether there is a claim that has not ended. */
export function isOpen(takeOver: TakeOverState | undefined): boolean {
  return takeOver !== undefined && takeOver.value !== 'ended';
}

/** The same check on the status shown to users. */
export function isOpenStatus(status: InterventionStatus): boolean {
  return status === 'requested' || status === 'transferring' || status === 'active';
}

/** The status shown to users; null before the first claim (D9.2). */
export function interventionStatus({ value, context }: TakeOverState): InterventionStatus | null {
  return value === 'ended' ? context.outcome : (value as InterventionStatus);
}
