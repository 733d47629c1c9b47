import {
  createAgentGroupRoute,
  createAgentRoute,
  deleteAgentGroupRoute,
  deleteAgentRoute,
  getOwnSipConfigRoute,
  getOwnStatusRoute,
  listAgentsRoute,
  listExtensionsRoute,
  listPhoneStatusesRoute,
  listSipConfigsRoute,
  setAgentStatusRoute,
  setOwnStatusRoute,
  updateAgentGroupRoute,
  updateAgentRoute,
} from './agents.ts';
import { type AgentGroupDeps, createAgentGroup, deleteAgentGroup, listAgentGroups, updateAgentGroup } from './agent-groups.ts';
import { deleteAgent } from './delete-agent.ts';
import { listPhoneStatuses, viewAgents } from './list-agents.ts';
import { listExtensions } from './list-extensions.ts';
import { getOwnStatus, setAgentStatus, setOwnStatus } from './set-status.ts';
import { getOwnSipConfig, listSipConfigs, type SipConfigDeps } from './sip-config.ts';
import { createAgent, updateAgent, type WriteAgentDeps } from './write-agent.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

export type AgentHandlerDeps = WriteAgentDeps & SipConfigDeps & AgentGroupDeps;

/** The agents, their groups and statuses. Source: OCS 4.13, 4.14 */
export function agentHandlers(deps: AgentHandlerDeps): RestHandler[] {
  // `me` must precede `:id`.
  return [...ownHandlers(deps), ...rosterHandlers(deps), ...groupHandlers(deps)];
}

function rosterHandlers(deps: AgentHandlerDeps): RestHandler[] {
  return [
    handler(listAgentsRoute, async () => {
      const [agents, groups] = await Promise.all([viewAgents(deps), listAgentGroups(deps)]);
      return { agents, groups };
    }),
    handler(listExtensionsRoute, async () => ({ rows: await listExtensions(deps) })),
    handler(listPhoneStatusesRoute, async () => ({ rows: await listPhoneStatuses(deps) })),
    handler(createAgentRoute, async ({ body, caller }) => ({ agent: await createAgent(deps, caller, body) })),
    handler(updateAgentRoute, async ({ params, body, caller }) => ({
      agent: await updateAgent(deps, caller, params.id, body),
    })),
    handler(deleteAgentRoute, async ({ params, caller }) => ({ agent: await deleteAgent(deps, caller, params.id) })),
    handler(setAgentStatusRoute, async ({ params, body, caller }) => ({
      agent: await setAgentStatus(deps, caller, params.id, body.status),
    })),
  ];
}

function groupHandlers(deps: AgentHandlerDeps): RestHandler[] {
  return [
    handler(createAgentGroupRoute, async ({ body, caller }) => ({ group: await createAgentGroup(deps, caller, body) })),
    handler(updateAgentGroupRoute, async ({ params, body, caller }) => ({
      group: await updateAgentGroup(deps, caller, params.groupId, body),
    })),
    handler(deleteAgentGroupRoute, async ({ params, caller }) => ({
      group: await deleteAgentGroup(deps, caller, params.groupId),
    })),
  ];
}

function ownHandlers(deps: AgentHandlerDeps): RestHandler[] {
  return [
    handler(getOwnStatusRoute, async ({ caller }) => ({ agent: await getOwnStatus(deps, caller) })),
    handler(setOwnStatusRoute, async ({ body, caller }) => ({ agent: await setOwnStatus(deps, caller, body.status) })),
    handler(getOwnSipConfigRoute, ({ caller }) => getOwnSipConfig(deps, caller)),
    handler(listSipConfigsRoute, async ({ caller }) => ({
      rows: (await listSipConfigs(deps, caller)).map(config => ({
        ...config,
        iceServers: config.iceServers.map(({ urls }) => ({ urls })),
      })),
    })),
  ];
}
