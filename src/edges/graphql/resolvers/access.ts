import type { Resolvers } from '../schema-types.generated.ts';

export const accessResolvers: Resolvers = {
  Query: {
    me: (_root, _args, { deps, token }) => deps.whoAmI(token),
  },
};
