import { changePasswordRoute } from './access.ts';
import { changeOwnPassword } from './change-own-password.ts';
import { meOf } from './who-am-i.ts';
import { callerOf } from '#graph/context.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const accessResolvers: Resolvers = {
  Query: {
    me: (_root, _args, { deps, caller }) => meOf(caller, deps.authEnabled),
  },
  Me: { timeZone: (_me, _args, { deps }) => deps.timeZone },
  Mutation: {
    changeOwnPassword: async (_root, passwords, context, info) => {
      const caller = callerOf(context, info);
      await changeOwnPassword(context.deps.people, caller, parseAsBody(changePasswordRoute, passwords));
      return meOf(caller, context.deps.authEnabled);
    },
  },
};
