import type { AgentCallEvent } from './events.ts';
import type { CallEnd } from './effects.ts';

/** Context of a call between an agent and a customer; JSON only. */
export interface AgentCallContext {
  /** Time from dialling the customer to an answer after which the switch is probed, ms. */
  dialTimeoutMs: number;
  /** Whether the customer may have been dialled. */
  customerSent: boolean;
  /** The agent's leg is known to have ended. */
  agentLeft?: boolean;
  answeredAt: number | null;
}

export type AgentCallInput = Pick<AgentCallContext, 'dialTimeoutMs'>;

export function initialAgentCall(input: AgentCallInput): AgentCallContext {
  return { dialTimeoutMs: input.dialTimeoutMs, customerSent: false, answeredAt: null };
}

interface Scope {
  context: AgentCallContext;
  event: AgentCallEvent;
}

/** Time of the customer's answer according to this event; UTC ms. */
export function answerOf(event: AgentCallEvent): number | null {
  if (event.type === 'customerAnswered') return event.at;
  return event.type === 'customerHungUp' ? (event.answeredAt ?? null) : null;
}

/** The final record of the call that this event closes. */
export function endOf({ context, event }: Scope): CallEnd {
  const wasAnswered = context.answeredAt !== null;
  const endedAt = 'at' in event ? event.at : null;
  const status = wasAnswered ? 'completed' : 'failed';
  switch (event.type) {
    case 'agentGone':
      return { status, cause: event.cause, by: 'agent', reason: wasAnswered ? null : (event.reason ?? '坐席未接听或已挂断'), endedAt };
    case 'customerHungUp':
      // When the agent hangs up, the switch ends the customer's leg, and reports the two ends in any order.
      return { status, cause: event.cause, by: wasAnswered && event.by === 'system' ? 'agent' : event.by, reason: null, endedAt };
    case 'customerRefused':
      return { status: 'failed', cause: event.cause, by: 'system', reason: event.reason, endedAt };
    case 'bridgeFailed':
      return { status: 'failed', cause: 'UNKNOWN', by: 'system', reason: '两路通话未能接通', endedAt };
    case 'agentMissing':
    case 'customerMissing':
    case 'customerFound':
    case 'agentRinging':
    case 'agentAnswered':
    case 'customerSent':
    case 'customerRinging':
    case 'customerAnswered':
    case 'legsBridged':
    case 'callSuspected':
    default:
      return { status, cause: 'UNKNOWN', by: null, reason: '通道已不在交换机上', endedAt };
  }
}
