const INTERVENTION = 'intervention:';
const AGENT_CALL = 'agent-call:';

/** Under which name an intervention holds the agent of whoever claimed (`ReservationRequest.holder`). Source: D9.3 */
export function interventionHolder(interventionId: string): string {
  return INTERVENTION + interventionId;
}

/** Under which name a call between an agent and a customer holds its agent. */
export function agentCallHolder(requestId: string): string {
  return AGENT_CALL + requestId;
}

/** The call that holds the agent; null: something else does. */
export function agentCallOf(holder: string): string | null {
  return holder.startsWith(AGENT_CALL) ? holder.slice(AGENT_CALL.length) : null;
}
