import { agentStatus } from '#actors/agent/context.ts';
import type { AgentAvailability, AgentDirectory } from './ports-agent-directory.ts';
import type { AgentStore } from './agent-store.ts';
import type { Agent } from './agent.ts';
import { type AgentHost, type AgentPresence, findPresence } from './agent-actor.ts';
import type { PhoneRegistry } from './phone-registry.ts';

/** Most agents of one installation. */
export const MAX_AGENTS = 5_000;

export interface AgentDirectoryDeps {
  agents: Pick<AgentStore, 'list' | 'find' | 'findByUser'>;
  agentHost: AgentHost;
  phoneRegistry: PhoneRegistry;
}

export function createAgentDirectory(deps: AgentDirectoryDeps): AgentDirectory {
  const agentOf = async (agent: Agent | null) => (agent?.isEnabled ? availabilityOf(deps, agent) : undefined);
  return {
    find: async agentId => agentOf(await deps.agents.find(agentId)),
    findByUser: async userId => agentOf(await deps.agents.findByUser(userId)),
    async list() {
      const agents = await deps.agents.list(MAX_AGENTS);
      return Promise.all(agents.filter(agent => agent.isEnabled).map(agent => availabilityOf(deps, agent)));
    },
  };
}

/** Returns the current availability of an agent, enabled or not. */
export async function availabilityOf(
  deps: Pick<AgentDirectoryDeps, 'agentHost' | 'phoneRegistry'>,
  agent: Agent,
): Promise<AgentAvailability> {
  return availabilityFrom(deps.phoneRegistry, agent, await findPresence(deps.agentHost, agent.id));
}

export function availabilityFrom(phoneRegistry: PhoneRegistry, agent: Agent, presence: AgentPresence | null): AgentAvailability {
  return {
    agentId: agent.id,
    userId: agent.userId,
    name: agent.name,
    phoneExtension: agent.phoneExtension,
    cellId: agent.cellId ?? phoneRegistry.locate(agent.phoneExtension, null)?.cellId ?? null,
    groupId: agent.groupId,
    status: agentStatus(presence?.stage ?? 'offline'),
    registrationStatus: phoneRegistry.registration(agent.phoneExtension, agent.cellId),
    currentCall: currentCallOf(presence),
  };
}

/** During wrap-up the agent is no longer on a call. */
function currentCallOf(presence: AgentPresence | null): string | null {
  return presence === null || presence.stage === 'wrapUp' ? null : (presence.context.reservation?.currentCall ?? null);
}
