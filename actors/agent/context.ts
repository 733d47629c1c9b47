import type { Outgoing } from '#protocol/actor-messages.ts';
import { agentCallOf, type AgentStatus } from '#agents/agent.ts';
import type { AgentEvent } from './events.ts';
import type { HeldReservation } from './reservation.ts';

/** Context of an agent; JSON only. */
export interface AgentContext {
  /** The status that the agent chose last; it returns after a call. */
  chosen: AgentStatus;
  /** UTC ms since when the agent is idle; the longest-idle agent is called first. */
  idleSince: number;
  reservation: HeldReservation | null;
  /** Code of the reason for which the agent chose to be busy. */
  reason?: string | null;
  /** UTC ms since when the stage has lasted; absent when it began without a time. */
  since?: number | undefined;
}

/** Instant at which an actor begins, UTC ms, and the call that holds the agent when the actor is restored. */
export interface AgentBeginning {
  at?: number | undefined;
  reservation?: HeldReservation | null;
}

export function freshAgent(): AgentContext {
  return { chosen: 'offline', idleSince: 0, reservation: null };
}

/** Whether an event concerns the current reservation, by fence or by holder. */
export function isCurrent({ reservation }: AgentContext, event: AgentEvent): boolean {
  if (reservation === null) return false;
  if (event.type === 'released' && 'holder' in event) return event.holder === reservation.holder;
  return 'fence' in event && event.fence === reservation.fence;
}

/** Message about the current leg to the call that holds the agent; null for other holders, which check the leg themselves. */
export function toHolder({ reservation }: AgentContext, event: WithoutInstant): Outgoing | null {
  const id = reservation && agentCallOf(reservation.holder);
  return id ? { to: { type: 'agentCall', id }, event } : null;
}

type WithoutInstant = Extract<Outgoing, { to: { type: 'agentCall' } }>['event'];

export type AgentStage = 'offline' | 'idle' | 'busy' | 'reserved' | 'ringing' | 'talking' | 'wrapUp';

/** The agent's stage, from the machine's value. */
export function agentStage(value: unknown): AgentStage {
  if (typeof value === 'string') return value as AgentStage;
  const engaged = (value as { engaged?: unknown }).engaged;
  if (typeof engaged === 'string') return engaged as AgentStage;
  const { pending } = engaged as { pending: unknown };
  // The reservation has expired; the switch is being probed for an answer.
  return typeof pending === 'string' ? (pending as AgentStage) : 'ringing';
}

/** The status shown to others: an agent involved in a call is busy. Source: OCS 2.13 */
export function agentStatus(stage: AgentStage): AgentStatus {
  return stage === 'offline' || stage === 'idle' ? stage : 'busy';
}
