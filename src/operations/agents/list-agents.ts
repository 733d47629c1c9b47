import type { RegistrationStatus } from '#model/agent.ts';
import type { AgentStore } from '#ports/agent-store.ts';
import type { AgentGroup } from '#model/agent-group.ts';
import { type AgentDeskDeps, MAX_AGENTS } from './agent-desks.ts';
import { type AgentView, viewAgent } from './agent-view.ts';

const MAX_GROUPS = 1_000;

export interface ListAgentsDeps extends AgentDeskDeps {
  agents: Pick<AgentStore, 'list' | 'find' | 'findByUser' | 'listGroups'>;
}

/** Source: OCS 4.13 */
export async function listAgents(deps: ListAgentsDeps): Promise<{ agents: AgentView[]; groups: AgentGroup[] }> {
  const [agents, groups] = await Promise.all([viewAgents(deps), listAgentGroups(deps)]);
  return { agents, groups };
}

/** Oldest first, disabled ones too. */
export async function viewAgents(deps: AgentDeskDeps): Promise<AgentView[]> {
  const agents = await deps.agents.list(MAX_AGENTS);
  return Promise.all(agents.map(agent => viewAgent(deps, agent)));
}

/** Oldest first. */
export function listAgentGroups({ agents }: { agents: Pick<AgentStore, 'listGroups'> }): Promise<AgentGroup[]> {
  return agents.listGroups(MAX_GROUPS);
}

export interface PhoneStatus {
  agentId: number;
  phoneExtension: string;
  registrationStatus: RegistrationStatus;
}

/** Source: OCS 2.13, 4.13 */
export async function listPhoneStatuses(deps: Pick<ListAgentsDeps, 'agents' | 'phoneRegistry'>): Promise<PhoneStatus[]> {
  const agents = await deps.agents.list(MAX_AGENTS);
  return agents.map(({ id, phoneExtension, cellId }) => ({
    agentId: id,
    phoneExtension,
    registrationStatus: deps.phoneRegistry.registration(phoneExtension, cellId),
  }));
}
