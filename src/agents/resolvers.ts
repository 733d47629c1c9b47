import {
  createAgentGroupRoute,
  createAgentRoute,
  deleteAgentGroupRoute,
  deleteAgentRoute,
  getOwnSipConfigRoute,
  getOwnStatusRoute,
  listExtensionsRoute,
  listPhoneStatusesRoute,
  listSipConfigsRoute,
  setAgentStatusRoute,
  setOwnStatusRoute,
  updateAgentGroupRoute,
  updateAgentRoute,
} from './routes.ts';
import { createAgentGroup, deleteAgentGroup, listAgentGroups, updateAgentGroup } from './agent-groups.ts';
import { createAgent, deleteAgent, updateAgent } from './change-agents.ts';
import { listExtensions, listPhoneStatuses, viewAgents } from './list-agents.ts';
import { getOwnStatus, setAgentStatus, setOwnStatus } from './status.ts';
import { getOwnSipConfig, listSipConfigs } from './sip-config.ts';
import { given, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { searchOf } from '#platform/graphql/connection.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

const agentQueries: Resolvers['Query'] = {
  agent: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.agents.load(rowIdOf('id', id, { of: 'Agent' }))),
  agents: (_root, { search, filter }, { app }) => {
    const { groupId, ...rest } = given(filter);
    const ofGroup = groupId === undefined ? undefined : rowIdOf('filter.groupId', groupId);
    return viewAgents(app, { q: searchOf(search), groupId: ofGroup, ...rest });
  },
  agentGroups: (_root, _args, { app }) => listAgentGroups(app),
  myAgent: fromRoute(getOwnStatusRoute, getOwnStatus),
  phoneExtensions: fromRoute(listExtensionsRoute, listExtensions),
  phoneStatuses: fromRoute(listPhoneStatusesRoute, listPhoneStatuses),
  mySipConfig: fromRoute(getOwnSipConfigRoute, getOwnSipConfig),
  sipConfigs: fromRoute(listSipConfigsRoute, listSipConfigs),
};

const agentMutations: Resolvers['Mutation'] = {
  createAgent: fromRoute(createAgentRoute, createAgent),
  updateAgent: fromRoute(updateAgentRoute, updateAgent),
  deleteAgent: fromRoute(deleteAgentRoute, deleteAgent),
  createAgentGroup: fromRoute(createAgentGroupRoute, createAgentGroup),
  updateAgentGroup: fromRoute(updateAgentGroupRoute, updateAgentGroup),
  deleteAgentGroup: fromRoute(deleteAgentGroupRoute, deleteAgentGroup),
  setMyStatus: fromRoute(setOwnStatusRoute, (app, caller, { status }) => setOwnStatus(app, caller, status)),
  setAgentStatus: fromRoute(setAgentStatusRoute, (app, caller, id, { status }) => setAgentStatus(app, caller, id, status)),
};

export const agentResolvers: Resolvers = {
  Query: agentQueries,
  Mutation: agentMutations,
  Agent: { currentCallKey: agent => agent.currentCall },
};
