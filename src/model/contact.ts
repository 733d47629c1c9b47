import { z } from 'zod';
import { bigRowId, boundedJson, instant, requiredText, rowId, stamps } from './fields.ts';

export const CONTACT_STATUSES = ['pending', 'submitted', 'completed', 'failed', 'paused'] as const;
/** Characters of a number as it is typed; its format is nobody's business here (OCS 4.6). */
export const MAX_PHONE_NUMBER_LENGTH = 64;
export const MAX_CUSTOMER_NAME_LENGTH = 128;
export const MAX_REMARK_LENGTH = 2_000;
/** Metadata of one contact, characters of its JSON. */
export const MAX_METADATA_LENGTH = 16_384;
/** Dialling order goes by it; a 32-bit column, nobody needs more steps. */
const MAX_PRIORITY = 1_000_000;
const metadata = boundedJson(z.record(z.string(), z.json()), MAX_METADATA_LENGTH);

const phoneNumber = requiredText(MAX_PHONE_NUMBER_LENGTH);
const text = (maxLength: number) => z.string().trim().max(maxLength);
const customerName = text(MAX_CUSTOMER_NAME_LENGTH);
const remark = text(MAX_REMARK_LENGTH);

/** Null empties, on adding as on editing. */
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
