import { callerOf } from '#graph/context.ts';
import type { PromiseCallbackInput, Resolvers } from '#graph/schema-types.generated.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { bigRowIdOf, given, rowIdOf } from '#platform/graphql/row-id.ts';
import type { CallbackPromise } from './callback.ts';
import { callbackList } from './callback-store.ts';
import { cancelCallback, promiseCallback } from './promise-callbacks.ts';

function promiseOf({ dueAt, until, note, agentId }: PromiseCallbackInput): CallbackPromise {
  const agent = agentId === null || agentId === undefined ? null : rowIdOf('input.agentId', agentId);
  return { dueAt, until: until ?? null, note: (note ?? '').trim(), agentId: agent };
}

export const callbackResolvers: Resolvers = {
  Query: {
    callbacks: (_root, { filter, ...args }, { app }) => {
      const { campaignId, contactId, agentId, ...others } = given(filter);
      const narrowed = {
        ...others,
        campaignId: campaignId === undefined ? undefined : rowIdOf('filter.campaignId', campaignId),
        agentId: agentId === undefined ? undefined : rowIdOf('filter.agentId', agentId),
        contactId: contactId === undefined ? undefined : bigRowIdOf('filter.contactId', contactId, 'Contact'),
      };
      return connectTo(app, callbackList, narrowed, args);
    },
  },
  Mutation: {
    promiseCallback: (_root, { campaignId, contactId, input }, context, info) =>
      promiseCallback(
        context.app,
        callerOf(context, info),
        { campaignId: rowIdOf('campaignId', campaignId), contactId: bigRowIdOf('contactId', contactId, 'Contact') },
        promiseOf(input),
      ),
    cancelCallback: (_root, { id }, context, info) =>
      cancelCallback(context.app, callerOf(context, info), bigRowIdOf('id', id, 'Callback')),
  },
  CallbackConnection: connectionFields(),
};
