import { z } from 'zod';
import { bigRowId, bulkCounts } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, idText8, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';
import { resultConditionsText } from '#attempts/decisions/result-condition.ts';
import { addContacts, changeContactsInBulk, deleteContact, updateContact } from './change-contacts.ts';
import { contact, CONTACT_STATUSES, contactChanges, importResult, newContact } from './contact.ts';
import { listContacts } from './list-contacts.ts';
import type { App } from '#app/app.ts';

/** Source: OCS §8, D6.2 */
const MAX_PASTED_CONTACTS = 10_000;
const MAX_BULK_CONTACTS = 10_000;
/** Source: D2.2 */
const PASTE_BODY_BYTES = 8 * 1024 * 1024;

const contactParams = z.object({ id: idText4, contactId: idText8 });
const oneContact = z.object({ contact });
/** Source: D6.2 */
const bulkBody = z.object({ contactIds: z.array(bigRowId).min(1).max(MAX_BULK_CONTACTS) });

export const listContactsRoute = route('GET /api/campaigns/:id/contacts', 'session', '活动的联系人', {
  params: idParam,
  query: pageSearchQuery.extend({
    status: z
      .enum(CONTACT_STATUSES)
      .optional()
      .transform(status => status ?? null),
    resultField: resultConditionsText,
  }),
  data: pageOf(contact),
});

export const pasteContactsRoute = route('POST /api/campaigns/:id/contacts', 'contact:write', '粘贴或手工添加联系人', {
  params: idParam,
  body: z.object({ contacts: z.array(newContact).min(1).max(MAX_PASTED_CONTACTS) }),
  data: importResult,
  bodyLimit: PASTE_BODY_BYTES,
});

export const updateContactRoute = route('PATCH /api/campaigns/:id/contacts/:contactId', 'contact:write', '修改联系人', {
  params: contactParams,
  body: contactChanges,
  data: oneContact,
});

export const deleteContactRoute = route('DELETE /api/campaigns/:id/contacts/:contactId', 'contact:write', '删除联系人', {
  params: contactParams,
  data: oneContact,
});

export const pauseContactsRoute = route('POST /api/campaigns/:id/contacts/pause', 'contact:write', '批量暂停联系人', {
  params: idParam,
  body: bulkBody,
  data: bulkCounts,
});

export const deleteContactsRoute = route('POST /api/campaigns/:id/contacts/delete', 'contact:write', '批量删除联系人', {
  params: idParam,
  body: bulkBody,
  data: bulkCounts,
});

/** Source: OCS 4.6, D6.2 */
export function contactHandlers(app: App): RestHandler[] {
  return [
    handler(listContactsRoute, ({ params, query: { resultField, ...query } }) =>
      listContacts(app, params.id, { ...query, filter: { resultField } }),
    ),
    handler(pasteContactsRoute, ({ params, body, caller }) => addContacts(app, caller, params.id, body.contacts)),
    handler(updateContactRoute, async ({ params, body, caller }) => ({
      contact: await updateContact(app, caller, { campaignId: params.id, contactId: params.contactId }, body),
    })),
    handler(deleteContactRoute, async ({ params, caller }) => ({
      contact: await deleteContact(app, caller, { campaignId: params.id, contactId: params.contactId }),
    })),
    handler(pauseContactsRoute, ({ params, body, caller }) =>
      changeContactsInBulk(app, caller, 'pause', { campaignId: params.id, contactIds: body.contactIds }),
    ),
    handler(deleteContactsRoute, ({ params, body, caller }) =>
      changeContactsInBulk(app, caller, 'remove', { campaignId: params.id, contactIds: body.contactIds }),
    ),
  ];
}
