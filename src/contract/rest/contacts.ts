import { z } from 'zod';
import { choiceFilter, idParam, idText4, idText8, isoInstant, pageOf, pageSearchQuery, stamps } from './fields.ts';
import { bigRowId, requiredText, rowId } from '#model/fields.ts';
import { route } from './route.ts';

export const CONTACT_STATUSES = ['pending', 'submitted', 'completed', 'failed', 'paused'] as const;
/** Source: OCS §8, D6.2 */
export const MAX_PASTED_CONTACTS = 10_000;
export const MAX_BULK_CONTACTS = 10_000;
/** Characters of a number as it is typed; its format is nobody's business here (OCS 4.6). */
export const MAX_PHONE_NUMBER_LENGTH = 64;
export const MAX_CUSTOMER_NAME_LENGTH = 128;
export const MAX_REMARK_LENGTH = 2_000;
/** Metadata of one contact, characters of its JSON. */
export const MAX_METADATA_LENGTH = 16_384;
/** Dialling order goes by it; a 32-bit column, nobody needs more steps. */
const MAX_PRIORITY = 1_000_000;
/** Source: D2.2 */
const PASTE_BODY_BYTES = 8 * 1024 * 1024;

const metadata = z
  .record(z.string(), z.json())
  .refine(members => JSON.stringify(members).length <= MAX_METADATA_LENGTH, `不能超过 ${MAX_METADATA_LENGTH} 个字符`);

const phoneNumber = requiredText(MAX_PHONE_NUMBER_LENGTH);
const text = (maxLength: number) => z.string().trim().max(maxLength);
const customerName = text(MAX_CUSTOMER_NAME_LENGTH);
const remark = text(MAX_REMARK_LENGTH);

/** Null empties, on adding as on editing. */
const orNull = <Value>(schema: z.ZodType<Value, Value>, empty: Value) => schema.nullable().transform(value => value ?? empty);
const optional = <Value>(schema: z.ZodType<Value, Value>, empty: Value) => schema.nullish().transform(value => value ?? empty);

/** Source: OCS 2.7 */
const contactInput = z.object({
  phoneNumber,
  customerName: optional(customerName, ''),
  remark: optional(remark, ''),
  metadata: optional(metadata, {}),
});

/** Source: OCS 2.7 */
export const contactRow = z
  .object({
    id: bigRowId,
    campaignId: rowId,
    phoneNumber: z.string(),
    customerName: z.string(),
    remark: z.string(),
    metadata: z.record(z.string(), z.json()),
    priority: z.int(),
    status: z.enum(CONTACT_STATUSES),
    attemptCount: z.int(),
    retryAt: isoInstant.nullable(),
    lastAttemptId: bigRowId.nullable(),
    holdReason: z.string().nullable(),
    holdUntil: isoInstant.nullable(),
    ...stamps,
  })
  .meta({ id: 'Contact' });

export type ContactRow = z.input<typeof contactRow>;

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
const oneContact = z.object({ contact: contactRow });
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
    status: choiceFilter(CONTACT_STATUSES).transform(status => status ?? null),
  }),
  data: pageOf(contactRow),
});

export const pasteContactsRoute = route({
  method: 'POST',
  path: '/api/campaigns/:id/contacts',
  access: 'contact:write',
  summary: '粘贴或手工添加联系人',
  params: idParam,
  body: z.object({ contacts: z.array(contactInput).min(1).max(MAX_PASTED_CONTACTS) }),
  data: importResult,
  bodyLimit: PASTE_BODY_BYTES,
});

export const updateContactRoute = route({
  method: 'PATCH',
  path: '/api/campaigns/:id/contacts/:contactId',
  access: 'contact:write',
  summary: '修改联系人',
  params: contactParams,
  body: z
    .object({
      phoneNumber,
      customerName: orNull(customerName, ''),
      remark: orNull(remark, ''),
      metadata: orNull(metadata, {}),
      priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
      status: z.enum(['pending', 'paused']),
    })
    .partial(),
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
