import { listBusinesses } from './business-store.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const businessResolvers: Resolvers = {
  Query: {
    businesses: (_root, { includeDisabled }, { app }) => listBusinesses(app, { isEveryOne: includeDisabled ?? false }),
  },
  Business: {
    script: async ({ businessCode }, _args, { loaders }) => {
      const taken = await loaders.takenScripts.load(businessCode);
      return taken && loaders.scripts.load(taken.id);
    },
    campaignCount: async ({ businessCode }, _args, { loaders }) => (await loaders.campaignCounts.load(businessCode))?.campaigns ?? 0,
  },
};
