import { meOf } from '#operations/access/who-am-i.ts';
import type { Resolvers } from '../schema-types.generated.ts';

export const accessResolvers: Resolvers = {
  Query: {
    me: (_root, _args, { deps, caller }) => meOf(caller, deps.authEnabled),
  },
};
