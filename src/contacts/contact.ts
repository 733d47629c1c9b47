import { z } from 'zod';
import { bigRowId, boundedJson, instant, requiredText, rowId, stamps } from '#kernel/fields.ts';

export const CONTACT_STATUSES = ['pending', 'submitted', 'completed', 'failed', 'paused'] as const;
/** Length of a number as entered; its format is not validated here (OCS 4.6). */
export const MAX_PHONE_NUMBER_LENGTH = 64;
export const MAX_CUSTOMER_NAME_LENGTH = 128;
export const MAX_REMARK_LENGTH = 2_000;
/** Limit of a contact's metadata, in characters of JSON. */
export const MAX_METADATA_LENGTH = 16_384;
/** Bound of the dialling priority, far inside its 32-bit column. */
const MAX_PRIORITY = 1_000_000;
const metadata = boundedJson(z.record(z.string(), z.json()), MAX_METADATA_LENGTH);

const phoneNumber = requiredText(MAX_PHONE_NUMBER_LENGTH);
const text = (maxLength: number) => z.string().trim().max(maxLength);
const customerName = text(MAX_CUSTOMER_NAME_LENGTH);
const remark = text(MAX_REMARK_LENGTH);

/** Null resets the field to its empty value, on creation and on update. */
const orNull = <Value>(schema: z.ZodType<Value, Value>, empty: Value) => schema.nullable().transform(value => value ?? empty);
const optional = <Value>(schema: z.ZodType<Value, Value>, empty: Value) => schema.nullish().transform(value => value ?? empty);

/** Source: OCS 2.7 */
export const newContact = z.object({
  phoneNumber,
  customerName: optional(customerName, ''),
  remark: optional(remark, ''),
  metadata: optional(metadata, {}),
});

/** Source: OCS 2.7 */
export const contact = z
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
    retryAt: instant.nullable(),
    lastAttemptId: bigRowId.nullable(),
    holdReason: z.string().nullable(),
    holdUntil: instant.nullable(),
    ...stamps,
  })
  .meta({ id: 'Contact' });

export type Contact = z.output<typeof contact>;
export type ContactStatus = Contact['status'];

/** Source: OCS 4.6 */
export const contactChanges = z
  .object({
    phoneNumber,
    customerName: orNull(customerName, ''),
    remark: orNull(remark, ''),
    metadata: orNull(metadata, {}),
    priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
    status: z.enum(['pending', 'paused']),
  })
  .partial();

/**
 * Column titles of exported contacts in Chinese and English; an import recognises an export when all titles of one language are present.
 */
export const CONTACT_TITLES = {
  id: ['编号', 'Id'],
  campaign: ['活动', 'Campaign'],
  phoneNumber: ['号码', 'Number'],
  customerName: ['姓名', 'Name'],
  status: ['状态', 'Status'],
  attemptCount: ['已呼次数', 'Attempts'],
  priority: ['优先级', 'Priority'],
  retryAt: ['下次呼叫', 'Next attempt'],
  holdReason: ['未呼原因', 'Held because'],
  remark: ['备注', 'Remark'],
  metadata: ['变量', 'Variables'],
  createdAt: ['创建时间', 'Made at'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

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
