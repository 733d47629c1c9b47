import { changePasswordRoute } from '#contract/rest/access.ts';
import { changeOwnPassword } from '#operations/access/change-own-password.ts';
import { meOf } from '#operations/access/who-am-i.ts';
import { callerOf } from '../context.ts';
import { parseAsBody } from '../route-body.ts';
import type { Resolvers } from '../schema-types.generated.ts';

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
