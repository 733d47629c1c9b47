import { deleteContactsRoute, pasteContactsRoute, pauseContactsRoute, updateContactRoute } from './routes.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { addContacts, changeContactsInBulk, updateContact } from './change-contacts.ts';
import { CONTACT_ORDERS, countAllContacts, sliceAllContacts } from './list-contacts.ts';
import { explainContact } from '#dialling/explain.ts';
import type { Contact } from './contact.ts';
import { bigRowIdOf, nullWhenAbsent, rowIdOf } from '#platform/graphql/row-id.ts';
import { connect, type Connection, connectionFields, type SliceArgs, sliceRequest } from '#platform/graphql/connection.ts';
import { campaignContactQueryOf, contactQueryOf, keyedQuery, type Narrowing } from '#graph/inputs.ts';
import type { App } from '#app/app.ts';
import { fromRoute } from '#graph/from-route.ts';
import type { Resolvers } from '#graph/schema-types.generated.ts';

export const contactResolvers: Resolvers = {
  Query: {
    contact: (_root, { id }, { loaders }) => nullWhenAbsent(() => loaders.contacts.load(bigRowIdOf('id', id, 'Contact'))),
    whyNotDialed: (_root, { contactId }, { app }) => explainContact(app, bigRowIdOf('contactId', contactId)),
    contacts: async (_root, { campaignId: id, search, status, filter, ...args }, { app, loaders }) => {
      if (!id) return ofEveryCampaign(app, { search, status, filter }, args);
      const campaignId = rowIdOf('campaignId', id);
      if (!(await loaders.campaigns.load(campaignId))) throw notFound('活动');
      const query = await campaignContactQueryOf(app, campaignId, { search, status, filter });
      return connect(
        sliceRequest(args, CONTACT_ORDERS),
        slice => loaders.contactSlices.load(campaignId, { ...slice, ...query }),
        () => loaders.contactCounts.load(campaignId, query),
      );
    },
  },
  Mutation: {
    addContacts: fromRoute(pasteContactsRoute, (app, caller, campaignId, { contacts }) => addContacts(app, caller, campaignId, contacts)),
    updateContact: fromRoute(updateContactRoute, (app, caller, { id, contactId }, body) =>
      updateContact(app, caller, { campaignId: id, contactId }, body),
    ),
    pauseContacts: inBulk(pauseContactsRoute, 'pause'),
    deleteContacts: inBulk(deleteContactsRoute, 'remove'),
  },
  ContactConnection: connectionFields(),
};

function ofEveryCampaign(app: App, narrowing: Narrowing, args: SliceArgs): Promise<Connection<Contact>> {
  if (narrowing.filter?.notDialedReason) throw invalidArgument('filter.notDialedReason', 'onlyTogether', { other: 'campaignId' });
  const query = keyedQuery(contactQueryOf(narrowing), app.region);
  return connect(
    sliceRequest(args),
    slice => sliceAllContacts(app, { ...slice, ...query }),
    () => countAllContacts(app, query),
  );
}

function inBulk(route: typeof pauseContactsRoute, verb: 'pause' | 'remove') {
  return fromRoute(route, (app, caller, campaignId, { contactIds }) => changeContactsInBulk(app, caller, verb, { campaignId, contactIds }));
}
