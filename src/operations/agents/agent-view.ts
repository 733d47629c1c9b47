import { notFound } from '#kernel/errors.ts';
import type { AgentDesk } from '#ports/agent-desk.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import type { Agent } from '#model/agent.ts';
import { type AgentDeskDeps, presentDesk } from './agent-desks.ts';

/** An agent with what it is doing now. */
export interface AgentView {
  agent: Agent;
  desk: AgentDesk;
}

export async function viewAgent(deps: AgentDeskDeps, agent: Agent): Promise<AgentView> {
  return { agent, desk: await presentDesk(deps, agent) };
}

/** Errors: NOT_FOUND */
export async function getAgent(deps: { agents: Pick<AgentStore, 'find'> }, agentId: number): Promise<Agent> {
  const agent = await deps.agents.find(agentId);
  if (!agent) throw notFound('坐席');
  return agent;
}
