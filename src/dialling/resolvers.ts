import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { cancelBatch, type DispatchResult, dispatchManually } from './dispatch-manually.ts';
import { cancelBatchRoute, dispatchRoute, effectiveDispatchLimit } from './routes.ts';

type Dispatched = Omit<DispatchResult, 'campaignStatus'> & { campaignStatus: CampaignStatus };

export const diallingResolvers: Resolvers = {
  Mutation: {
    dispatchCampaign: fromRoute(
      dispatchRoute,
      async (app, caller, campaignId, { limit }) => {
        const request = { campaignId, requestedLimit: limit, effectiveLimit: effectiveDispatchLimit(limit) };
        return (await dispatchManually(app, caller, request)) as Dispatched;
      },
      { of: 'Campaign' },
    ),
    cancelBatch: fromRoute(cancelBatchRoute, (app, caller, { id, batchId }) => cancelBatch(app, caller, id, batchId)),
  },
};
