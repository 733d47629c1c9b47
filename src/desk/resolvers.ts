import { callerOf } from '#graph/context.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { readMyDesk } from './my-desk.ts';

export const deskResolvers: Resolvers = {
  Query: {
    myDesk: (_root, _args, context, info) => readMyDesk(context.app, callerOf(context, info)),
  },
  MyDay: {
    averageTalkSeconds: ({ callsHandled, talkSeconds }) => (callsHandled === 0 ? null : Math.round(talkSeconds / callsHandled)),
  },
};
