import { callerOf } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { markMessageRead, sendAgentMessage } from './messages.ts';
import { readMyDesk } from './my-desk.ts';
import { markMessageReadRoute, sendAgentMessageRoute } from './routes.ts';

export const deskResolvers: Resolvers = {
  Query: {
    myDesk: (_root, _args, context, info) => readMyDesk(context.app, callerOf(context, info)),
  },
  Mutation: {
    sendAgentMessage: fromRoute(sendAgentMessageRoute, sendAgentMessage, { of: 'Agent' }),
    markMessageRead: fromRoute(markMessageReadRoute, markMessageRead),
  },
  AgentMessage: { messageId: ({ id }) => id },
  MyDay: {
    averageTalkSeconds: ({ callsHandled, talkSeconds }) => (callsHandled === 0 ? null : Math.round(talkSeconds / callsHandled)),
  },
};
