import { listBusinesses } from '#management/businesses.ts';
import type { Resolvers } from '../schema-types.generated.ts';

export const businessResolvers: Resolvers = {
  Query: {
    businesses: (_root, _args, { deps }) => listBusinesses(deps),
  },
};
