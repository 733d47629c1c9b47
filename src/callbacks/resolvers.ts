import { callerOf } from '#graph/context.ts';
import type { CallbackFilter, PromiseCallbackInput, Resolvers } from '#graph/schema-types.generated.ts';
import type { SubscriptionSources } from '#graph/subscription-sources.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { connectionFields, connectTo } from '#platform/graphql/connection.ts';
import { bigRowIdOf, given, rowIdOf } from '#platform/graphql/row-id.ts';
import { stateChannel, type StateForm } from '#platform/graphql/subscription-source.ts';
import type { CallbackPromise } from './callback.ts';
import { callbackList, type CallbackSearch } from './callback-store.ts';
import { cancelCallback, promiseCallback } from './promise-callbacks.ts';
import type { Calendar } from './watch-calendar.ts';

/** Callbacks that a subscription shows, unless it asks for another number. */
const USUAL_SHOWN = 200;
const MAX_SHOWN = 1_000;

function promiseOf({ dueAt, until, note, agentId }: PromiseCallbackInput): CallbackPromise {
  const agent = agentId === null || agentId === undefined ? null : rowIdOf('input.agentId', agentId);
  return { dueAt, until: until ?? null, note: (note ?? '').trim(), agentId: agent };
}

/** Errors: INVALID_ARGUMENT naming the id */
function searchOf(filter: CallbackFilter | null | undefined): CallbackSearch {
  const { campaignId, contactId, agentId, ...others } = given(filter);
  return {
    ...others,
    campaignId: campaignId === undefined ? undefined : rowIdOf('filter.campaignId', campaignId),
    agentId: agentId === undefined ? undefined : rowIdOf('filter.agentId', agentId),
    contactId: contactId === undefined ? undefined : bigRowIdOf('filter.contactId', contactId, 'Contact'),
  };
}

export const callbackResolvers: Resolvers = {
  Query: {
    callbacks: (_root, { filter, ...args }, { app }) => connectTo(app, callbackList, searchOf(filter), args),
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

export const callbackSources: Pick<SubscriptionSources, 'callbacks'> = {
  callbacks: ({ filter, first, after }, { app }) => {
    const shown = first ?? USUAL_SHOWN;
    if (shown < 1 || shown > MAX_SHOWN) throw invalidArgument('first', 'integerBetween', { min: 1, max: MAX_SHOWN });
    return { channel: stateChannel(app.states.callbacks({ search: searchOf(filter), first: shown }), CALENDAR), after: after ?? null };
  },
};

const CALENDAR: StateForm<Calendar, Calendar> = {
  snapshot: ({ callbacks, total }) => ({ __typename: 'CallbacksSnapshot', callbacks, totalCount: total }),
  change: ({ callbacks, total }) => ({ __typename: 'CallbacksChanged', callbacks, totalCount: total }),
};
