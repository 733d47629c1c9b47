import { notFound } from '#kernel/errors.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent, AgentView } from './agent.ts';
import { type AgentDirectoryDeps, availabilityOf } from './agent-directory.ts';

/** Adds the agent's current activity; a disabled agent is offline. Source: OCS 2.13, D12.1 */
export async function viewAgent(deps: AgentDirectoryDeps, agent: Agent): Promise<AgentView> {
  const { status, registrationStatus, currentCall } = await availabilityOf(deps, agent);
  return { ...agent, status: agent.isEnabled ? status : 'offline', registrationStatus, currentCall };
}

/** Errors: NOT_FOUND */
export async function getAgent(deps: { agents: Pick<AgentStore, 'find'> }, agentId: number): Promise<Agent> {
  const agent = await deps.agents.find(agentId);
  if (!agent) throw notFound('坐席');
  return agent;
}
