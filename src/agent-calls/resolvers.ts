import { placeCallbackRoute, placeManualCallRoute, placeTransferRoute } from './routes.ts';
import { type AgentCallDirection, placeCall } from './place-call.ts';
import { cancelAgentCallback, promiseAgentCallback } from './promise-agent-callback.ts';
import { ownCallsOf, softphoneCallList } from './agent-call-store.ts';
import { callKeyOf } from '#calls/live-call.ts';
import { getSoftphoneCall, utterancesOf } from '#softphones/session-feed.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { bigRowIdOf, given, nullWhenAbsent, optionalRowIds, rowIdOf } from '#platform/graphql/row-id.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const softphoneCallResolvers: Resolvers = {
  Query: {
    softphoneCalls: (_root, { agentId, campaignId, status, direction, phoneNumber, from, to, ...args }, context, info) => {
      const ids = optionalRowIds({ agentId: agentId ?? undefined, campaignId: campaignId ?? undefined });
      return connectTo(
        context.app,
        softphoneCallList,
        {
          ...ids,
          ...keyed(given({ status, direction, phoneNumber, from, to }), context.app.region),
          ...ownCallsOf(callerOf(context, info)),
        },
        args,
      );
    },
    softphoneCall: (_root, { id }, context, info) =>
      nullWhenAbsent(() => getSoftphoneCall(context.app, callerOf(context, info), bigRowIdOf('id', id, 'SoftphoneCall'))),
  },
  Mutation: {
    placeManualCall: placing(placeManualCallRoute, 'manual_call'),
    placeCallback: placing(placeCallbackRoute, 'callback'),
    promiseAgentCallback: (_root, { agentId, input }, context, info) => {
      const { contactId, isPersonal, dueAt, until, note } = input;
      return promiseAgentCallback(context.app, callerOf(context, info), rowIdOf('agentId', agentId), {
        contactId: bigRowIdOf('input.contactId', contactId, 'Contact'),
        isPersonal: isPersonal ?? true,
        dueAt,
        until: until ?? null,
        note: (note ?? '').trim(),
      });
    },
    cancelAgentCallback: (_root, { agentId, id }, context, info) =>
      cancelAgentCallback(context.app, callerOf(context, info), {
        agentId: rowIdOf('agentId', agentId),
        callbackId: bigRowIdOf('id', id, 'Callback'),
      }),
    placeTransfer: placing(placeTransferRoute, 'transfer'),
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

function placing(route: typeof placeManualCallRoute, direction: AgentCallDirection) {
  return fromRoute(route, (app, caller, agentId, input) => placeCall(app, caller, { agentId, direction, input }));
}
