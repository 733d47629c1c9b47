import { listBusinesses } from './business-store.ts';
import { fromRoute } from '#graph/from-route.ts';
import { createBusiness, updateBusiness } from './change-businesses.ts';
import { createBusinessRoute, updateBusinessRoute } from './routes.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const businessResolvers: Resolvers = {
  Query: {
    businesses: (_root, { includeDisabled }, { app }) => listBusinesses(app, { isEveryOne: includeDisabled ?? false }),
  },
  Mutation: {
    createBusiness: fromRoute(createBusinessRoute, createBusiness),
    updateBusiness: fromRoute(updateBusinessRoute, updateBusiness),
  },
  Business: {
    script: async ({ businessCode }, _args, { loaders }) => {
      const taken = await loaders.takenScripts.load(businessCode);
      return taken && loaders.scripts.load(taken.id);
    },
    campaignCount: async ({ businessCode }, _args, { loaders }) => (await loaders.campaignCounts.load(businessCode))?.campaigns ?? 0,
  },
};
