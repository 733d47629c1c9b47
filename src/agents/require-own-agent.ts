import { CalloutError, conflict } from '#kernel/errors.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent } from './agent.ts';
import type { Caller } from '#kernel/caller.ts';
import { getAgent } from './agent-view.ts';

/**
 * Returns the agent that the caller may act for: its own for an agent, any for other roles.
 *
 * Errors: FORBIDDEN for another user's agent, existing or not; NOT_FOUND
 * Source: OCS 4.13 "an ordinary agent changes only itself"
 */
export async function requireActingFor(
  deps: { agents: Pick<AgentStore, 'find' | 'findByUser'> },
  caller: Caller,
  agentId: number,
): Promise<Agent> {
  if (caller.role !== 'agent') return getAgent(deps, agentId);
  const own = await findOwnAgent(deps, caller);
  if (own?.id !== agentId) throw new CalloutError('FORBIDDEN', '坐席只能操作自己');
  return own;
}

/** The enabled agent that is bound to the caller; null without one. */
export async function findOwnAgent(deps: { agents: Pick<AgentStore, 'findByUser'> }, caller: Caller): Promise<Agent | null> {
  const agent = caller.userId === null ? null : await deps.agents.findByUser(caller.userId);
  return agent?.isEnabled === true ? agent : null;
}

/** Errors: CONFLICT when the agent is disabled */
export function requireEnabled(agent: Agent): void {
  if (!agent.isEnabled) throw conflict('AGENT_DISABLED', `坐席「${agent.name}」已停用`);
}
