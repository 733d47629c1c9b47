import type { Agent, AgentView, RegistrationStatus } from '#model/agent.ts';
import { type AgentDirectoryDeps, MAX_AGENTS } from './agent-directory.ts';
import { viewAgent } from './agent-view.ts';

/** Which agents; what is undefined does not narrow. */
export interface AgentSearch {
  /** Found anywhere in name and extension, letter case aside; '' matches all. */
  q: string;
  groupId?: number | undefined;
  isEnabled?: boolean | undefined;
  status?: AgentView['status'] | undefined;
  registrationStatus?: RegistrationStatus | undefined;
}

/** Oldest first, disabled ones too. Source: OCS 4.13 */
export async function viewAgents(deps: AgentDirectoryDeps, search: AgentSearch = { q: '' }): Promise<AgentView[]> {
  const agents = (await deps.agents.list(MAX_AGENTS)).filter(agent => isNamed(agent, search));
  const views = await Promise.all(agents.map(agent => viewAgent(deps, agent)));
  return views.filter(view => isSeenAs(view, search));
}

function isNamed({ name, phoneExtension, groupId, isEnabled }: Agent, search: AgentSearch): boolean {
  const q = search.q.toLowerCase();
  return (
    (name.toLowerCase().includes(q) || phoneExtension.toLowerCase().includes(q)) &&
    (search.groupId ?? groupId) === groupId &&
    (search.isEnabled ?? isEnabled) === isEnabled
  );
}

/** Known only of the agent as it stands now. */
function isSeenAs({ status, registrationStatus }: AgentView, search: AgentSearch): boolean {
  return (search.status ?? status) === status && (search.registrationStatus ?? registrationStatus) === registrationStatus;
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
