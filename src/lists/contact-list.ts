import { z } from 'zod';
import { bigRowId, instant, optionalText, requiredText, rowId, stamps } from '#kernel/fields.ts';

/** Kinds of lists: contacts to call, or numbers that must not be called. */
export const LIST_KINDS = ['contacts', 'do_not_call'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;

/** A named list of the library; it has rows as soon as a first import has ended. Source: D6.9 */
export const contactList = z
  .object({
    id: rowId,
    name: z.string(),
    kind: z.enum(LIST_KINDS).meta({ description: 'contacts 可拨打的名单；do_not_call 黑名单，其号码一律不呼' }),
    description: z.string(),
    version: z.int().meta({ description: '最新版本；0：尚无内容' }),
    rowCount: z.int().meta({ description: '最新版本的行数' }),
    importId: bigRowId.nullable().meta({ description: '正在进行的导入；没有时为 null' }),
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'ContactList' });

export type ContactList = z.output<typeof contactList>;

export const newContactList = z.object({
  name: requiredText(MAX_NAME_LENGTH),
  kind: z.enum(LIST_KINDS),
  description: optionalText(MAX_DESCRIPTION_LENGTH),
});

export const contactListChanges = z
  .object({ name: requiredText(MAX_NAME_LENGTH), description: z.string().trim().max(MAX_DESCRIPTION_LENGTH) })
  .partial();

/** A version of a list, made by one import; versions without a change are not kept. */
export const listVersion = z
  .object({
    version: z.int(),
    fileName: z.string(),
    rows: z.int().meta({ description: '该版本的行数' }),
    createdRows: z.int(),
    updatedRows: z.int(),
    createdBy: rowId.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'ContactListVersion' });

export type ListVersion = z.output<typeof listVersion>;

/** A row of a list, as its latest version has it. */
export const listRow = z
  .object({
    id: bigRowId,
    phoneNumber: z.string(),
    customerName: z.string(),
    remark: z.string(),
    externalId: z.string(),
    timeZone: z.string(),
    metadata: z.record(z.string(), z.json()),
  })
  .meta({ id: 'ContactListRow' });

export type ListRow = z.output<typeof listRow>;

/** A campaign that has taken contacts from a list. */
export const listUse = z
  .object({ campaignId: rowId, campaignName: z.string(), version: z.int().meta({ description: '最近一次取用的版本' }), updatedAt: instant })
  .meta({ id: 'ContactListUse' });

export type ListUse = z.output<typeof listUse>;
