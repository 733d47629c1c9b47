import type { AgentView, RegistrationStatus } from '#model/agent.ts';
import { type AgentDirectoryDeps, MAX_AGENTS } from './agent-directory.ts';
import { viewAgent } from './agent-view.ts';

/** Oldest first, disabled ones too. Source: OCS 4.13 */
export async function viewAgents(deps: AgentDirectoryDeps): Promise<AgentView[]> {
  const agents = await deps.agents.list(MAX_AGENTS);
  return Promise.all(agents.map(agent => viewAgent(deps, agent)));
}

export interface PhoneStatus {
  agentId: number;
  phoneExtension: string;
  registrationStatus: RegistrationStatus;
}

/** Source: OCS 2.13, 4.13 */
export async function listPhoneStatuses(deps: Pick<AgentDirectoryDeps, 'agents' | 'phoneRegistry'>): Promise<PhoneStatus[]> {
  const agents = await deps.agents.list(MAX_AGENTS);
  return agents.map(({ id, phoneExtension, cellId }) => ({
    agentId: id,
    phoneExtension,
    registrationStatus: deps.phoneRegistry.registration(phoneExtension, cellId),
  }));
}
