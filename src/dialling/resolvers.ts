import type { GraphQLResolveInfo } from 'graphql';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import { rowIdOf } from '#platform/graphql/row-id.ts';
import { dispatchRoute, effectiveDispatchLimit } from './routes.ts';
import { type DispatchResult, dispatchManually } from './dispatch-manually.ts';

export const diallingResolvers: Resolvers = {
  Mutation: {
    dispatchCampaign: (_root, { id, limit }, context, info) => dispatch(context, info, id, limit),
  },
};

type Dispatched = Omit<DispatchResult, 'campaignStatus'> & { campaignStatus: CampaignStatus };

async function dispatch(
  context: GraphContext,
  info: GraphQLResolveInfo,
  id: string,
  limit: number | null | undefined,
): Promise<Dispatched> {
  const campaignId = rowIdOf('id', id, { of: 'Campaign' });
  const { limit: requestedLimit } = parseAsBody(dispatchRoute, { limit });
  const request = { campaignId, requestedLimit, effectiveLimit: effectiveDispatchLimit(requestedLimit) };
  return (await dispatchManually(context.deps, callerOf(context, info), request)) as Dispatched;
}
