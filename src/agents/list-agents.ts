import { notFound } from '#kernel/errors.ts';
import { type AgentsPart, availabilityOf, MAX_AGENTS } from './agent-directory.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent, AgentView, RegistrationStatus } from './agent.ts';
import type { PhoneRegistry } from './phone-registry.ts';

/** Adds the agent's current activity; a disabled agent is offline. Source: OCS 2.13, D12.1 */
export async function viewAgent(app: AgentsPart, agent: Agent): Promise<AgentView> {
  const { status, registrationStatus, currentCall, activity } = await availabilityOf(app, agent);
  return { ...agent, status: agent.isEnabled ? status : 'offline', registrationStatus, currentCall, activity };
}

/** Errors: NOT_FOUND */
export async function getAgent(app: { agents: Pick<AgentStore, 'find'> }, agentId: number): Promise<Agent> {
  const agent = await app.agents.find(agentId);
  if (!agent) throw notFound('坐席');
  return agent;
}

interface ExtensionRow {
  phoneExtension: string;
  /** Null for an agent that is bound to no cell. */
  cellId: string | null;
  switchReachable: boolean;
  registrationStatus: RegistrationStatus;
  agentId: number | null;
}

/**
 * Lists the extensions that are registered at a cell, and those of agents.
 *
 * Why:    the switch lists its registrations, but not the other entries of its directory
 * Shape:  sorted by extension, then by cell
 * Source: OCS 2.13, 4.13
 */
export async function listExtensions(app: { agents: Pick<AgentStore, 'list'>; phoneRegistry: PhoneRegistry }): Promise<ExtensionRow[]> {
  const agents = (await app.agents.list(MAX_AGENTS)).filter(agent => agent.phoneExtension !== '');
  const owners = new Map(agents.map(agent => [agent.phoneExtension, agent]));
  const registered = registeredRows(app.phoneRegistry, owners);
  const listed = new Set(registered.map(row => row.phoneExtension));
  const others = agents.filter(agent => !listed.has(agent.phoneExtension)).map(agent => quietRow(app.phoneRegistry, agent));
  return [...registered, ...others].sort(
    (a, b) => a.phoneExtension.localeCompare(b.phoneExtension) || (a.cellId ?? '').localeCompare(b.cellId ?? ''),
  );
}

function registeredRows(phoneRegistry: PhoneRegistry, owners: ReadonlyMap<string, Agent>): ExtensionRow[] {
  return phoneRegistry.cells().flatMap(({ cellId, isReachable, extensions }) =>
    extensions.map(phoneExtension => ({
      phoneExtension,
      cellId,
      switchReachable: isReachable,
      registrationStatus: 'registered' as const,
      agentId: owners.get(phoneExtension)?.id ?? null,
    })),
  );
}

function quietRow(phoneRegistry: PhoneRegistry, { id, phoneExtension, cellId }: Agent): ExtensionRow {
  const cells = phoneRegistry.cells().filter(cell => cellId === null || cell.cellId === cellId);
  return {
    phoneExtension,
    cellId,
    switchReachable: cells.some(cell => cell.isReachable),
    registrationStatus: phoneRegistry.registration(phoneExtension, cellId),
    agentId: id,
  };
}

/** Filters of the list; an undefined filter does not narrow it. */
interface AgentSearch {
  /** Case-insensitive substring of name or extension; '' matches all. */
  q: string;
  groupId?: number | undefined;
  isEnabled?: boolean | undefined;
  status?: AgentView['status'] | undefined;
  registrationStatus?: RegistrationStatus | undefined;
}

/** Lists agents, oldest first, disabled ones included. Source: OCS 4.13 */
export async function viewAgents(app: AgentsPart, search: AgentSearch = { q: '' }): Promise<AgentView[]> {
  const agents = (await app.agents.list(MAX_AGENTS)).filter(agent => isNamed(agent, search));
  const views = await Promise.all(agents.map(agent => viewAgent(app, agent)));
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

interface PhoneStatus {
  agentId: number;
  phoneExtension: string;
  registrationStatus: RegistrationStatus;
}

/** Source: OCS 2.13, 4.13 */
export async function listPhoneStatuses(app: Pick<AgentsPart, 'agents' | 'phoneRegistry'>): Promise<PhoneStatus[]> {
  const agents = await app.agents.list(MAX_AGENTS);
  return agents.map(({ id, phoneExtension, cellId }) => ({
    agentId: id,
    phoneExtension,
    registrationStatus: app.phoneRegistry.registration(phoneExtension, cellId),
  }));
}
