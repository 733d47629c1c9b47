const INTERVENTION = 'intervention:';
const AGENT_CALL = 'agent-call:';

/** Holder name for an agent reserved by an intervention (`ReservationRequest.holder`). Source: D9.3 */
export function interventionHolder(interventionId: string): string {
  return INTERVENTION + interventionId;
}

/** Holder name for an agent reserved by a call between agent and customer. */
export function agentCallHolder(requestId: string): string {
  return AGENT_CALL + requestId;
}

/** Request id of the agent call that holds the reservation; null when the holder is something else. */
export function agentCallOf(holder: string): string | null {
  return holder.startsWith(AGENT_CALL) ? holder.slice(AGENT_CALL.length) : null;
}
