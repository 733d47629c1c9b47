import {
  changeWrapUpRoute,
  createAgentGroupRoute,
  createAgentRoute,
  deleteAgentGroupRoute,
  deleteAgentRoute,
  getOwnSipConfigRoute,
  getOwnStatusRoute,
  listBreakReasonsRoute,
  listExtensionsRoute,
  listPhoneStatusesRoute,
  listSipConfigsRoute,
  setAgentStatusRoute,
  setBreakReasonsRoute,
  setOwnStatusRoute,
  updateAgentGroupRoute,
  updateAgentRoute,
} from './routes.ts';
import { createAgentGroup, deleteAgentGroup, listAgentGroups, updateAgentGroup } from './agent-groups.ts';
import { createAgent, deleteAgent, updateAgent } from './change-agents.ts';
import { listExtensions, listPhoneStatuses, viewAgents } from './list-agents.ts';
import { getOwnStatus, setAgentStatus, setOwnStatus } from './status.ts';
import { getOwnSipConfig, listSipConfigs } from './sip-config.ts';
import { listBreakReasons, setBreakReasons } from './break-reasons.ts';
import { stateSpan, sumAgentStates } from './sum-states.ts';
import { changeWrapUp } from './wrap-up.ts';
import { callerOf } from '#graph/context.ts';
import { parseInput } from '#platform/http/parse.ts';
import { given, nullWhenAbsent, optionalRowId, rowIdOf } from '#platform/graphql/row-id.ts';
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
  breakReasons: fromRoute(listBreakReasonsRoute, listBreakReasons),
  agentStateSeconds: (_root, { agentId, from, to }, context, info) => {
    const span = parseInput(stateSpan, { from: from ?? undefined, to: to ?? undefined }, '参数');
    return sumAgentStates(context.app, callerOf(context, info), { ...span, agentId: optionalRowId('agentId', agentId) ?? undefined });
  },
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
  setMyStatus: fromRoute(setOwnStatusRoute, setOwnStatus),
  setAgentStatus: fromRoute(setAgentStatusRoute, setAgentStatus),
  changeWrapUp: fromRoute(changeWrapUpRoute, (app, caller, id, { step }) => changeWrapUp(app, caller, id, step)),
  setBreakReasons: fromRoute(setBreakReasonsRoute, setBreakReasons),
};

export const agentResolvers: Resolvers = {
  Query: agentQueries,
  Mutation: agentMutations,
  Agent: { currentCallKey: agent => agent.currentCall },
};
