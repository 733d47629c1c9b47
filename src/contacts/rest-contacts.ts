import {
  deleteContactRoute,
  deleteContactsRoute,
  listContactsRoute,
  pasteContactsRoute,
  pauseContactsRoute,
  updateContactRoute,
} from './contacts.ts';
import { addContacts } from './add-contacts.ts';
import { changeContactsInBulk } from './change-contacts-in-bulk.ts';
import { deleteContact } from './delete-contact.ts';
import { listContacts, type ListContactsDeps } from './list-contacts.ts';
import { updateContact, type UpdateContactDeps } from './update-contact.ts';
import type { ContactStore } from './ports-contact-store.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 4.6, D6.2 */
export function contactHandlers(deps: ListContactsDeps & UpdateContactDeps & { contacts: ContactStore }): RestHandler[] {
  return [
    handler(listContactsRoute, ({ params, query }) => listContacts(deps, params.id, query)),
    handler(pasteContactsRoute, ({ params, body, caller }) => addContacts(deps, caller, params.id, body.contacts)),
    handler(updateContactRoute, async ({ params, body, caller }) => ({
      contact: await updateContact(deps, caller, { campaignId: params.id, contactId: params.contactId }, body),
    })),
    handler(deleteContactRoute, async ({ params, caller }) => ({
      contact: await deleteContact(deps, caller, { campaignId: params.id, contactId: params.contactId }),
    })),
    handler(pauseContactsRoute, ({ params, body, caller }) =>
      changeContactsInBulk(deps, caller, 'pause', { campaignId: params.id, contactIds: body.contactIds }),
    ),
    handler(deleteContactsRoute, ({ params, body, caller }) =>
      changeContactsInBulk(deps, caller, 'remove', { campaignId: params.id, contactIds: body.contactIds }),
    ),
  ];
}
