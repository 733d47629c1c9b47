import { z } from 'zod';
import { instant, instantText, rowId, stamps } from '#kernel/fields.ts';

export const DO_NOT_CALL_SOURCES = ['manual', 'callback', 'import'] as const;
/** The reach of an entry: its number alone, or every number of the contacts that have it. Source: D8.7 */
export const DO_NOT_CALL_SCOPES = ['number', 'person'] as const;
/** Length of a number as entered, separators included. */
const MAX_NUMBER_LENGTH = 64;
const MAX_REASON_LENGTH = 500;

/** A number that must not be dialled. Source: D8.7 */
export const doNotCallEntry = z
  .object({
    id: rowId,
    phoneNumber: z.string(),
    reason: z.string(),
    source: z.enum(DO_NOT_CALL_SOURCES),
    scope: z.enum(DO_NOT_CALL_SCOPES).meta({ description: 'number 只禁呼该号码；person 禁呼有该号码的联系人的全部号码' }),
    expiresAt: instant.nullable(),
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'DoNotCallEntry' });

export type DoNotCallEntry = z.output<typeof doNotCallEntry>;

/** Absent or null: an existing entry keeps its reason. */
const reason = z.string().trim().max(MAX_REASON_LENGTH).nullish();

export const newDoNotCallEntry = z.object({
  /** `listedNumberFault` checks it, since that depends on the region. */
  phoneNumber: z.string().trim().min(1).max(MAX_NUMBER_LENGTH),
  reason,
  /** Null or empty: permanent (OCS 2.10). */
  expiresAt: z.union([z.literal(''), instantText]).nullish(),
  scope: z.enum(DO_NOT_CALL_SCOPES).nullish().meta({ description: '缺省为 number；已有条目保持原来的范围' }),
});

/** Beside the call, whose number is meant. */
export const numberOfCall = z.object({ reason });
