import type { GraphQLResolveInfo } from 'graphql';
import { createAgentGroupRoute, createAgentRoute, setAgentStatusRoute, updateAgentGroupRoute, updateAgentRoute } from './routes.ts';
import { createAgentGroup, deleteAgentGroup, listAgentGroups, updateAgentGroup } from './agent-groups.ts';
import type { AgentGroup, AgentView } from './agent.ts';
import { createAgent, deleteAgent, updateAgent } from './change-agents.ts';
import { listExtensions, listPhoneStatuses, viewAgents } from './list-agents.ts';
import { getOwnStatus, setAgentStatus, setOwnStatus } from './status.ts';
import { getOwnSipConfig, listSipConfigs } from './sip-config.ts';
import { given, nullWhenAbsent, optionalRowIds, rowIdOf } from '#platform/graphql/row-id.ts';
import { searchOf } from '#platform/graphql/connection.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { parseAsBody, withFlags } from '#platform/graphql/from-route.ts';
import type {
  CreateAgentGroupInput,
  CreateAgentInput,
  Resolvers,
  UpdateAgentGroupInput,
  UpdateAgentInput,
} from '#graph/schema-types.generated.ts';

const agentQueries: Resolvers['Query'] = {
  agent: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.agents.load(rowIdOf('id', id, { of: 'Agent' }))),
  agents: (_root, { search, filter }, { deps }) => {
    const { groupId, ...rest } = given(filter);
    const ofGroup = groupId === undefined ? undefined : rowIdOf('filter.groupId', groupId);
    return viewAgents(deps, { q: searchOf(search), groupId: ofGroup, ...rest });
  },
  agentGroups: (_root, _args, { deps }) => listAgentGroups(deps),
  myAgent: (_root, _args, context, info) => getOwnStatus(context.deps, callerOf(context, info)),
  phoneExtensions: (_root, _args, { deps }) => listExtensions(deps),
  phoneStatuses: (_root, _args, { deps }) => listPhoneStatuses(deps),
  mySipConfig: (_root, _args, context, info) => getOwnSipConfig(context.deps, callerOf(context, info)),
  sipConfigs: (_root, _args, context, info) => listSipConfigs(context.deps, callerOf(context, info)),
};

const agentMutations: Resolvers['Mutation'] = {
  createAgent: (_root, { input }, context, info) => create(context, info, input),
  updateAgent: (_root, { id, input }, context, info) => update(context, info, id, input),
  deleteAgent: (_root, { id }, context, info) =>
    deleteAgent(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Agent' })),
  createAgentGroup: (_root, { input }, context, info) => createGroup(context, info, input),
  updateAgentGroup: (_root, { id, input }, context, info) => updateGroup(context, info, id, input),
  deleteAgentGroup: (_root, { id }, context, info) =>
    deleteAgentGroup(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'AgentGroup' })),
  setMyStatus: (_root, args, context, info) => {
    const { status } = parseAsBody(setAgentStatusRoute, args);
    return setOwnStatus(context.deps, callerOf(context, info), status);
  },
  setAgentStatus: (_root, { id, ...args }, context, info) => {
    const { status } = parseAsBody(setAgentStatusRoute, args);
    return setAgentStatus(context.deps, callerOf(context, info), rowIdOf('id', id, { of: 'Agent' }), status);
  },
};

export const agentResolvers: Resolvers = {
  Query: agentQueries,
  Mutation: agentMutations,
  Agent: { currentCallKey: agent => agent.currentCall },
};

async function create(context: GraphContext, info: GraphQLResolveInfo, input: CreateAgentInput): Promise<AgentView> {
  return createAgent(context.deps, callerOf(context, info), parseAsBody(createAgentRoute, bodyOf(input)));
}

async function update(context: GraphContext, info: GraphQLResolveInfo, id: string, input: UpdateAgentInput): Promise<AgentView> {
  return updateAgent(
    context.deps,
    callerOf(context, info),
    rowIdOf('id', id, { of: 'Agent' }),
    parseAsBody(updateAgentRoute, bodyOf(input)),
  );
}

async function createGroup(context: GraphContext, info: GraphQLResolveInfo, input: CreateAgentGroupInput): Promise<AgentGroup> {
  return createAgentGroup(context.deps, callerOf(context, info), parseAsBody(createAgentGroupRoute, input));
}

async function updateGroup(context: GraphContext, info: GraphQLResolveInfo, id: string, input: UpdateAgentGroupInput): Promise<AgentGroup> {
  return updateAgentGroup(
    context.deps,
    callerOf(context, info),
    rowIdOf('id', id, { of: 'AgentGroup' }),
    parseAsBody(updateAgentGroupRoute, input),
  );
}

function bodyOf({ groupId, userId, ...input }: UpdateAgentInput): object {
  return { ...withFlags(input), ...optionalRowIds({ groupId, userId }) };
}
