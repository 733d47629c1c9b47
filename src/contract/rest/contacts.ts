import { z } from 'zod';
import { idParam, idText4, idText8, pageOf, pageSearchQuery } from './fields.ts';
import { CONTACT_STATUSES, contact, contactChanges, newContact } from '#model/contact.ts';
import { bigRowId } from '#model/fields.ts';
import { route } from './route.ts';

/** Source: OCS §8, D6.2 */
export const MAX_PASTED_CONTACTS = 10_000;
export const MAX_BULK_CONTACTS = 10_000;
/** Source: D2.2 */
const PASTE_BODY_BYTES = 8 * 1024 * 1024;

/** Source: OCS 2.7, D6.5 */
export const importResult = z
  .object({
    totalRows: z.int(),
    createdRows: z.int(),
    skippedRows: z.int(),
    duplicateRows: z.int(),
    failedRows: z.int(),
    errors: z.array(z.object({ rowNumber: z.int(), phoneNumber: z.string(), reason: z.string() })),
  })
  .meta({ id: 'ImportResult' });

const contactParams = z.object({ id: idText4, contactId: idText8 });
const oneContact = z.object({ contact });
/** Source: D6.2 */
const bulkBody = z.object({ contactIds: z.array(bigRowId).min(1).max(MAX_BULK_CONTACTS) });
const bulkData = z.object({ requested: z.int(), affected: z.int(), skipped: z.int() });

export const listContactsRoute = route({
  method: 'GET',
  path: '/api/campaigns/:id/contacts',
  access: 'session',
  summary: '活动的联系人',
  params: idParam,
  query: pageSearchQuery.extend({
    status: z
      .enum(CONTACT_STATUSES)
      .optional()
      .transform(status => status ?? null),
  }),
  data: pageOf(contact),
});

export const pasteContactsRoute = route({
  method: 'POST',
  path: '/api/campaigns/:id/contacts',
  access: 'contact:write',
  summary: '粘贴或手工添加联系人',
  params: idParam,
  body: z.object({ contacts: z.array(newContact).min(1).max(MAX_PASTED_CONTACTS) }),
  data: importResult,
  bodyLimit: PASTE_BODY_BYTES,
});

export const updateContactRoute = route({
  method: 'PATCH',
  path: '/api/campaigns/:id/contacts/:contactId',
  access: 'contact:write',
  summary: '修改联系人',
  params: contactParams,
  body: contactChanges,
  data: oneContact,
});

export const deleteContactRoute = route({
  method: 'DELETE',
  path: '/api/campaigns/:id/contacts/:contactId',
  access: 'contact:write',
  summary: '删除联系人',
  params: contactParams,
  data: oneContact,
});

export const pauseContactsRoute = route({
  method: 'POST',
  path: '/api/campaigns/:id/contacts/pause',
  access: 'contact:write',
  summary: '批量暂停联系人',
  params: idParam,
  body: bulkBody,
  data: bulkData,
});

export const deleteContactsRoute = route({
  method: 'POST',
  path: '/api/campaigns/:id/contacts/delete',
  access: 'contact:write',
  summary: '批量删除联系人',
  params: idParam,
  body: bulkBody,
  data: bulkData,
});
