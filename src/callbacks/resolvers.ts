import { callerOf } from '#graph/context.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { bigRowIdOf, given, rowIdOf } from '#platform/graphql/row-id.ts';
import { callbackList } from './callback-store.ts';
import { cancelCallback, promiseCallback } from './promise-callbacks.ts';

export const callbackResolvers: Resolvers = {
  Query: {
    callbacks: (_root, { filter, ...args }, { app }) => {
      const { campaignId, contactId, ...others } = given(filter);
      const narrowed = {
        ...others,
        campaignId: campaignId === undefined ? undefined : rowIdOf('filter.campaignId', campaignId),
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
        { dueAt: input.dueAt, until: input.until ?? null, note: (input.note ?? '').trim() },
      ),
    cancelCallback: (_root, { id }, context, info) =>
      cancelCallback(context.app, callerOf(context, info), bigRowIdOf('id', id, 'Callback')),
  },
  CallbackConnection: connectionFields(),
};
