import { z } from 'zod';
import { CARRIER_OPTIONS, columnMapping, DUPLICATE_SCOPES, MAX_CONTACTED_DAYS, MAX_FILE_ROW } from '#imports/file-import.ts';
import { textPlace } from '#imports/text-block.ts';
import { rowId } from '#kernel/fields.ts';
import { importCounts } from './import-counts.ts';

const MAX_URL_LENGTH = 2_048;
const MAX_REGION_LENGTH = 2;

/** How rows are read and which are left out: the options of a file import, in JSON. Source: D6.3, D6.8, D6.9 */
export const importOptions = z.object({
  region: z.string().trim().toUpperCase().length(MAX_REGION_LENGTH).nullish().meta({ description: '没有国家码的号码属于哪个国家或地区' }),
  carriers: z.array(z.enum(CARRIER_OPTIONS)).max(CARRIER_OPTIONS.length).nullish(),
  landline: z.enum(['allow', 'reject']).nullish(),
  headerRow: z.int().min(0).max(MAX_FILE_ROW).nullish().meta({ description: '列名所在行，从 1 起；0：没有；缺省由文件内容判断' }),
  columns: columnMapping.nullish().meta({ description: '各字段取自哪一列；缺省按列名识别' }),
  duplicates: z.enum(DUPLICATE_SCOPES).nullish().meta({ description: '号码在哪里已有联系人时略去该行；仅用于活动' }),
  contactedWithinDays: z
    .int()
    .min(1)
    .max(MAX_CONTACTED_DAYS)
    .nullish()
    .meta({ description: '任何活动在这么多天内呼叫过该号码时略去该行；仅用于活动' }),
});

export type ImportOptions = z.output<typeof importOptions>;

/** Either an uploaded file or an address; into a list or into a campaign. */
export const newImport = z.object({
  fileId: z.uuid().nullish().meta({ description: '已上传的文件' }),
  url: z.string().trim().max(MAX_URL_LENGTH).nullish().meta({ description: 'https:// 地址，或 s3://桶/对象' }),
  listId: rowId.nullish(),
  campaignId: rowId.nullish(),
  options: importOptions.nullish(),
});

export type NewImport = z.output<typeof newImport>;

const target = z.union([z.object({ campaignId: rowId }), z.object({ listId: rowId, version: z.int() })]);

export type ImportTarget = z.output<typeof target>;

/** Input of an import job. */
export const importInput = z.object({
  fileId: z.uuid(),
  /** Null: the file is uploaded already. */
  url: z.string().nullable(),
  fileName: z.string(),
  /** Bytes; 0 as long as the file is to be fetched. */
  size: z.int().nonnegative(),
  target,
  options: importOptions,
});

export type ImportInput = z.output<typeof importInput>;

/** How far an import is: the size is known once the file is there. */
export const importCursor = z.object({ size: z.int(), place: textPlace, counts: importCounts });

export type ImportCursor = z.output<typeof importCursor>;
