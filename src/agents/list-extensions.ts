import type { AgentStore } from './agent-store.ts';
import type { Agent, RegistrationStatus } from './agent.ts';
import { MAX_AGENTS } from './agent-directory.ts';
import type { PhoneRegistry } from './phone-registry.ts';

export interface ExtensionRow {
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
export async function listExtensions(deps: { agents: Pick<AgentStore, 'list'>; phoneRegistry: PhoneRegistry }): Promise<ExtensionRow[]> {
  const agents = (await deps.agents.list(MAX_AGENTS)).filter(agent => agent.phoneExtension !== '');
  const owners = new Map(agents.map(agent => [agent.phoneExtension, agent]));
  const registered = registeredRows(deps.phoneRegistry, owners);
  const listed = new Set(registered.map(row => row.phoneExtension));
  const others = agents.filter(agent => !listed.has(agent.phoneExtension)).map(agent => quietRow(deps.phoneRegistry, agent));
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
