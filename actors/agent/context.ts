import type { AgentStatus } from '#rules/agent-status.ts';
import type { LegNews } from './effects.ts';
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

/** News of the present leg for whoever reserved it. */
export function news(context: AgentContext, what: LegNews['what'], cause: string | null = null): LegNews {
  const { holder = '', fence = '', answeredAt = null } = context.reservation ?? {};
  return { holder, fence, what, cause, answeredAt };
}

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
