import type { Outgoing } from '#contract/nats/actor-messages.ts';
import { agentCallOf } from '#rules/agent-holder.ts';
import type { AgentStatus } from '#rules/agent-status.ts';
import type { AgentEvent } from './events.ts';

/** What an agent remembers beside its state; JSON only. */
export interface AgentContext {
  /** What the agent chose last: it comes back to it after a call. */
  chosen: AgentStatus;
  /** UTC ms since when the agent is idle; the one who waits longest is called first. */
  idleSince: number;
  reservation: HeldReservation | null;
}

export interface HeldReservation {
  holder: string;
  /** Uuid of the agent's leg, unless `legUuid` says another. */
  fence: string;
  /** Channel under which the agent came by itself: its browser dialled in. */
  legUuid?: string | undefined;
  cellId: string;
  currentCall: string | null;
  wrapUpMs: number;
  /** UTC ms. */
  reservedAt: number;
  answeredAt: number | null;
}

export function freshAgent(): AgentContext {
  return { chosen: 'offline', idleSince: 0, reservation: null };
}

/** Whether an event speaks of the present reservation: by its fence, or by its holder. */
export function isCurrent({ reservation }: AgentContext, event: AgentEvent): boolean {
  if (reservation === null) return false;
  if (event.type === 'released' && 'holder' in event) return event.holder === reservation.holder;
  return 'fence' in event && event.fence === reservation.fence;
}

/** What became of the present leg, for the call that holds the agent; null: something else does, and looks by itself. */
export function toHolder({ reservation }: AgentContext, event: WithoutInstant): Outgoing | null {
  const id = reservation && agentCallOf(reservation.holder);
  return id ? { to: { type: 'agentCall', id }, event } : null;
}

type WithoutInstant = Extract<Outgoing, { to: { type: 'agentCall' } }>['event'];

export type AgentStage = 'offline' | 'idle' | 'busy' | 'reserved' | 'ringing' | 'talking' | 'wrapUp';

/** Where the agent stands, from the machine's value. */
export function agentStage(value: unknown): AgentStage {
  if (typeof value === 'string') return value as AgentStage;
  const engaged = (value as { engaged?: unknown }).engaged;
  if (typeof engaged === 'string') return engaged as AgentStage;
  const { pending } = engaged as { pending: unknown };
  // Its time is over, and the switch is asked whether it has been answered.
  return typeof pending === 'string' ? (pending as AgentStage) : 'ringing';
}

/** The status that others see: anybody who is with a call is busy. Source: OCS 2.13 */
export function agentStatus(stage: AgentStage): AgentStatus {
  return stage === 'offline' || stage === 'idle' ? stage : 'busy';
}
