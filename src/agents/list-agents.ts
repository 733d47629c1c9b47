import type { Agent, AgentView, RegistrationStatus } from './agent.ts';
import { type AgentDirectoryDeps, MAX_AGENTS } from './agent-directory.ts';
import { viewAgent } from './agent-view.ts';

/** Filters of the list; an undefined filter does not narrow it. */
export interface AgentSearch {
  /** Case-insensitive substring of name or extension; '' matches all. */
  q: string;
  groupId?: number | undefined;
  isEnabled?: boolean | undefined;
  status?: AgentView['status'] | undefined;
  registrationStatus?: RegistrationStatus | undefined;
}

/** Lists agents, oldest first, disabled ones included. Source: OCS 4.13 */
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

/** Matches on live status, which the agent's row does not hold. */
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
