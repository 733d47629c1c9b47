import { callerOf } from '#graph/context.ts';
import type { CallStatsFilter as FilterInput, Resolvers } from '#graph/schema-types.generated.ts';
import { given, optionalRowId, rowIdOf, rowIdsOf } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { getAgentStats } from './agent-stats.ts';
import { askCallStats } from './ask-call-stats.ts';
import { callStatsAsked } from './call-stat.ts';
import { getCampaignFunnel } from './campaign-funnel.ts';
import { listMeasures } from './list-measures.ts';
import { getNodeStats } from './node-stats.ts';
import { getAgentDay } from './read-agent-day.ts';

export const callStatsResolvers: Resolvers = {
  Query: {
    callStats: (_root, { from, to, filter, ...asked }, context, info) => {
      const question = parseInput(callStatsAsked, { ...given(asked), filter: filterOf(filter) }, '参数');
      return askCallStats(context.app, callerOf(context, info), { ...question, from, to });
    },
    campaignFunnel: (_root, { campaignId }, { app }) => getCampaignFunnel(app, rowIdOf('campaignId', campaignId)),
    nodeStats: (_root, { scriptId, campaignId, version, ...span }, { app }) =>
      getNodeStats(app, {
        ...span,
        scriptId: rowIdOf('scriptId', scriptId),
        campaignId: optionalRowId('campaignId', campaignId) ?? undefined,
        version: version ?? undefined,
      }),
    agentStats: (_root, { agentId, groupId, timeZone, ...span }, context, info) =>
      getAgentStats(context.app, callerOf(context, info), {
        ...span,
        timeZone: timeZone ?? undefined,
        agentId: optionalRowId('agentId', agentId) ?? undefined,
        groupId: optionalRowId('groupId', groupId) ?? undefined,
      }),
    agentDay: (_root, { agentId, date }, context, info) =>
      getAgentDay(context.app, callerOf(context, info), { agentId: rowIdOf('agentId', agentId), date: date ?? undefined }),
    callMeasures: (_root, _args, { language }) => listMeasures(language),
  },
};

const ID_MEMBERS = ['campaignIds', 'lineIds', 'agentIds', 'agentGroupIds', 'scriptIds'] as const;

/** The members as REST spells them. Errors: INVALID_ARGUMENT naming the member */
function filterOf(filter: FilterInput | null | undefined): object {
  const members = given(filter);
  const ids = ID_MEMBERS.flatMap(name => {
    const texts = members[name];
    return texts === undefined ? [] : [[name, rowIdsOf(`filter.${name}`, texts)] as const];
  });
  return { ...members, ...Object.fromEntries(ids) };
}
