import type { GraphQLResolveInfo } from 'graphql';
import { placeManualCallRoute } from './routes.ts';
import { type AgentCallDirection, placeCall } from './place-call.ts';
import { ownCallsOf, softphoneCallList } from './agent-call-store.ts';
import { callKeyOf } from '#calls/live-call.ts';
import { getSoftphoneCall, utterancesOf } from '#softphones/session-feed.ts';
import type { SoftphoneCall } from './agent-call.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { bigRowIdOf, given, nullWhenAbsent, optionalRowIds, rowIdOf } from '#platform/graphql/row-id.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { callerOf, type GraphContext } from '#graph/context.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import type { AgentCallInput, Resolvers } from '#graph/schema-types.generated.ts';

export const softphoneCallResolvers: Resolvers = {
  Query: {
    softphoneCalls: (_root, { agentId, campaignId, status, direction, phoneNumber, from, to, ...args }, context, info) => {
      const ids = optionalRowIds({ agentId: agentId ?? undefined, campaignId: campaignId ?? undefined });
      return connectTo(
        context.deps,
        softphoneCallList,
        {
          ...ids,
          ...keyed(given({ status, direction, phoneNumber, from, to }), context.deps.region),
          ...ownCallsOf(callerOf(context, info)),
        },
        args,
      );
    },
    softphoneCall: (_root, { id }, context, info) =>
      nullWhenAbsent(() => getSoftphoneCall(context.deps.softphones, callerOf(context, info), bigRowIdOf('id', id, 'SoftphoneCall'))),
  },
  Mutation: {
    placeManualCall: (_root, { agentId, input }, context, info) => place(context, info, { agentId, direction: 'manual_call', input }),
    placeCallback: (_root, { agentId, input }, context, info) => place(context, info, { agentId, direction: 'callback', input }),
    placeTransfer: (_root, { agentId, input }, context, info) => place(context, info, { agentId, direction: 'transfer', input }),
  },
  SoftphoneCall: {
    callKey: ({ requestId }) => callKeyOf(requestId),
  },
  SoftphoneLeg: { callUuid: ({ legUuid }) => legUuid },
  SoftphoneEvent: { at: ({ createdAt }) => createdAt },
  SoftphoneCallDetail: {
    timeline: ({ events }) => events.filter(({ kind }) => kind !== 'tts'),
    ttsEvents: ({ events }) => events.filter(({ kind }) => kind === 'tts'),
    transcript: ({ events }) => utterancesOf(events),
  },
  SoftphoneCallConnection: connectionFields(),
};

interface CallRequest {
  agentId: string;
  direction: AgentCallDirection;
  input: AgentCallInput;
}

async function place(
  context: GraphContext,
  info: GraphQLResolveInfo,
  { agentId, direction, input: { contactId, campaignId, ...rest } }: CallRequest,
): Promise<SoftphoneCall> {
  const input = parseAsBody(placeManualCallRoute, { ...rest, ...optionalRowIds({ contactId, campaignId }) });
  return placeCall(context.deps, callerOf(context, info), { agentId: rowIdOf('agentId', agentId), direction, input });
}
