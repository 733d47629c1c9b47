import { skipDetailOf } from '#campaigns/decisions/skip-reason.ts';
import type { GraphQLResolveInfo } from 'graphql';
import { deleteContactsRoute, pasteContactsRoute, pauseContactsRoute, updateContactRoute } from './routes.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { addContacts, changeContactsInBulk, updateContact } from './change-contacts.ts';
import type { BulkResult } from '#platform/postgres/bulk-result.ts';
import type { ImportResult } from './import-result.ts';
import { CONTACT_ORDERS, countAllContacts, sliceAllContacts } from './list-contacts.ts';
import { explainContact } from '#dialling/explain.ts';
import type { Contact } from './contact.ts';
import { bigRowIdOf, nullWhenAbsent, rowIdOf, rowIdsOf } from '#platform/graphql/row-id.ts';
import { connect, type Connection, connectionFields, type SliceArgs, sliceRequest } from '#platform/graphql/connection.ts';
import { campaignContactQueryOf, contactQueryOf, keyedQuery, type Narrowing } from '#graph/inputs.ts';
import { callerOf, type GraphContext, type GraphDeps } from '#graph/context.ts';
import { parseAsBody } from '#platform/graphql/from-route.ts';
import type { ContactInput, MutationUpdateContactArgs, Resolvers } from '#graph/schema-types.generated.ts';

const BULK_ROUTES = { pause: pauseContactsRoute, remove: deleteContactsRoute };

export const contactResolvers: Resolvers = {
  Query: {
    contact: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.contacts.load(bigRowIdOf('id', id, 'Contact'))),
    whyNotDialed: (_root, { contactId }, { deps }) => explainContact(deps, bigRowIdOf('contactId', contactId)),
    contacts: async (_root, { campaignId: id, search, status, filter, ...args }, { deps, loaders }) => {
      if (!id) return ofEveryCampaign(deps, { search, status, filter }, args);
      const campaignId = rowIdOf('campaignId', id);
      if (!(await loaders.campaigns.load(campaignId))) throw notFound('活动');
      const query = await campaignContactQueryOf(deps, campaignId, { search, status, filter });
      return connect(
        sliceRequest(args, CONTACT_ORDERS),
        slice => loaders.contactSlices.load(campaignId, { ...slice, ...query }),
        () => loaders.contactCounts.load(campaignId, query),
      );
    },
  },
  Mutation: {
    addContacts: (_root, { campaignId, contacts }, context, info) => add(context, info, campaignId, contacts),
    updateContact: (_root, target, context, info) => update(context, info, target),
    pauseContacts: (_root, target, context, info) => changeAll(context, info, 'pause', target),
    deleteContacts: (_root, target, context, info) => changeAll(context, info, 'remove', target),
  },
  ContactConnection: connectionFields(),
  NotDialed: { detail: skipDetailOf },
  NotDialedCount: { detail: skipDetailOf },
};

function ofEveryCampaign(deps: GraphDeps, narrowing: Narrowing, args: SliceArgs): Promise<Connection<Contact>> {
  if (narrowing.filter?.notDialedReason) throw invalidArgument('filter.notDialedReason', 'onlyTogether', { other: 'campaignId' });
  const query = keyedQuery(contactQueryOf(narrowing), deps.region);
  return connect(
    sliceRequest(args),
    slice => sliceAllContacts(deps, { ...slice, ...query }),
    () => countAllContacts(deps, query),
  );
}

async function add(
  context: GraphContext,
  info: GraphQLResolveInfo,
  campaignId: string,
  contacts: readonly ContactInput[],
): Promise<ImportResult> {
  const body = parseAsBody(pasteContactsRoute, { contacts });
  return addContacts(context.deps, callerOf(context, info), rowIdOf('campaignId', campaignId), body.contacts);
}

async function update(
  context: GraphContext,
  info: GraphQLResolveInfo,
  { campaignId, id, input }: MutationUpdateContactArgs,
): Promise<Contact> {
  const target = { campaignId: rowIdOf('campaignId', campaignId), contactId: bigRowIdOf('id', id, 'Contact') };
  return updateContact(context.deps, callerOf(context, info), target, parseAsBody(updateContactRoute, input));
}

async function changeAll(
  context: GraphContext,
  info: GraphQLResolveInfo,
  verb: 'pause' | 'remove',
  target: { campaignId: string; contactIds: readonly string[] },
): Promise<BulkResult> {
  const campaignId = rowIdOf('campaignId', target.campaignId);
  const { contactIds } = parseAsBody(BULK_ROUTES[verb], { contactIds: rowIdsOf('contactIds', target.contactIds) });
  return changeContactsInBulk(context.deps, callerOf(context, info), verb, { campaignId, contactIds });
}
