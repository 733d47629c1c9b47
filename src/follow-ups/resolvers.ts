import { exportAddress } from '#exports/export-address.ts';
import { callerOf } from '#graph/context.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { CreateFollowUpListInput, Resolvers, UpdateFollowUpListInput } from '#graph/schema-types.generated.ts';
import type { JsonObject } from '#kernel/json.ts';
import { nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { createFollowUp, deleteFollowUp, isOwn, updateFollowUp } from './change-follow-ups.ts';
import { feedCampaign } from './feed-campaign.ts';
import { getFollowUp, listFollowUps } from './follow-up-store.ts';
import { countOfList } from './people-of-list.ts';
import { createFollowUpRoute, deleteFollowUpRoute, feedCampaignRoute, updateFollowUpRoute } from './routes.ts';
import { exportMembers, withoutNulls } from './saved-queries.ts';

export const followUpResolvers: Resolvers = {
  Query: {
    followUpLists: (_root, _args, context, info) => listFollowUps(context.app, callerOf(context, info)),
    followUpList: (_root, { id }, context, info) =>
      nullWhenAbsent(() => getFollowUp(context.app, callerOf(context, info), rowIdOf('id', id, { of: 'FollowUpList' }))),
  },
  Mutation: {
    createFollowUpList: fromRoute(createFollowUpRoute, createFollowUp, { bodyOf }),
    updateFollowUpList: fromRoute(updateFollowUpRoute, updateFollowUp, { bodyOf }),
    deleteFollowUpList: fromRoute(deleteFollowUpRoute, deleteFollowUp),
    feedCampaign: fromRoute(feedCampaignRoute, feedCampaign, { of: 'FollowUpList' }),
  },
  FollowUpList: {
    of: ({ calls }) => (calls === null ? 'contacts' : 'calls'),
    filter: ({ calls, contacts }) => withoutNulls(calls ?? contacts ?? {}) as JsonObject,
    mayChange: (list, _args, context, info) => isOwn(list, callerOf(context, info)),
    count: (list, _args, { app }) => countOfList(app, list),
    exportUrl: ({ calls, contacts }, _args, { app, language }) => {
      const filter = calls ?? contacts;
      return filter && exportAddress(calls === null ? 'contacts' : 'calls', { ...exportMembers(app, filter), language });
    },
  },
};

/** Spells filters as REST does: their instants are texts there. */
function bodyOf({ input }: { input: CreateFollowUpListInput | UpdateFollowUpListInput }): object {
  const { calls, contacts, ...rest } = input;
  return {
    ...rest,
    ...(calls && { calls: { ...inWords(calls.filter), sinceDays: calls.sinceDays } }),
    ...(contacts && {
      contacts: { ...inWords(contacts.filter ?? {}), campaignId: contacts.campaignId, q: contacts.search, sinceDays: contacts.sinceDays },
    }),
  };
}

function inWords<Filter extends { from?: number | null | undefined; to?: number | null | undefined }>({ from, to, ...rest }: Filter) {
  const text = (at: number | null | undefined) => (at === null || at === undefined ? undefined : new Date(at).toISOString());
  return { ...rest, from: text(from), to: text(to) };
}
