import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { MAX_COLUMN_NAME_LENGTH } from '#platform/files/read-table.ts';
import { instant, rowId } from '#kernel/fields.ts';
import { idParam, integerText } from '#platform/http/route.ts';
import { eachText, importResult } from '#contacts/contact.ts';
import { MAX_NUMBERS } from '#contacts/decisions/numbers.ts';

const MAX_MAPPING_LENGTH = 32_768;

const MAX_SHEET_NAME_LENGTH = 100;

const MAX_CARRIERS_LENGTH = 200;

const MAX_METADATA_COLUMNS = 100;

export const MAX_FILE_ROW = 200_000;

/** Source: D6.3 */
export const CARRIER_OPTIONS = ['any', 'mobile', 'unicom', 'telecom', 'broadnet'] as const;

/** The scope in which a contact with the same number makes a row a duplicate. Source: D6.8 */
export const DUPLICATE_SCOPES = ['campaign', 'business'] as const;
export const MAX_CONTACTED_DAYS = 3_650;

const columnName = z.string().trim().min(1).max(MAX_COLUMN_NAME_LENGTH);

/**
 * Columns by field. An untitled column is called `column_<n>`; `variables` names a column of JSON objects; `metadata` lists columns, or
 * maps names of metadata to columns. Source: D6.3
 */
export const columnMapping = z.object({
  phoneNumber: columnName,
  ...eachText(() => columnName.optional()),
  callbackAt: columnName.optional(),
  callbackNote: columnName.optional(),
  numbers: z.array(columnName).max(MAX_NUMBERS).optional(),
  variables: columnName.optional(),
  metadata: z.union([z.array(columnName).max(MAX_METADATA_COLUMNS), z.record(columnName, columnName)]).optional(),
});

const mappingText = z
  .string()
  .max(MAX_MAPPING_LENGTH)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: issue('json') });
      return z.NEVER;
    }
  })
  .pipe(columnMapping);

const carrierList = z
  .string()
  .max(MAX_CARRIERS_LENGTH)
  .transform(text =>
    text
      .split(',')
      .map(word => word.trim().toLowerCase())
      .filter(word => word !== ''),
  )
  .pipe(z.array(z.enum(CARRIER_OPTIONS)))
  .transform(list => list.flatMap(carrier => (carrier === 'any' || list.includes('any') ? [] : [carrier])));

const flag = z
  .enum(['0', '1'])
  .optional()
  .transform(value => value === '1');

/** The text fields that accompany `file`. Source: D6.3 */
export const importFields = z.object({
  region: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, issue('country'))
    .optional()
    .meta({ description: '没有国家码的号码属于哪个国家或地区；缺省为服务器所配置的（CALLOUT_REGION）' }),
  carrier: carrierList.optional().default([]),
  landline: z
    .enum(['allow', 'reject'])
    .optional()
    .transform(landline => landline ?? 'allow'),
  mapping: mappingText.optional(),
  sheet: z
    .string()
    .trim()
    .max(MAX_SHEET_NAME_LENGTH)
    .optional()
    .meta({ description: 'Name of a sheet of an XLSX file; the first that is not hidden when absent' }),
  headerRow: integerText({ min: 0, max: MAX_FILE_ROW }).optional().meta({
    description: 'Row of the file that names the columns, from 1, the lower of two; 0: none does; absent: what stands in the rows tells',
  }),
  duplicates: z
    .enum(DUPLICATE_SCOPES)
    .optional()
    .meta({ description: '号码在哪里已有联系人时略去该行：campaign 本活动（缺省），business 同一业务的任何活动' }),
  contactedWithinDays: integerText({ min: 1, max: MAX_CONTACTED_DAYS })
    .optional()
    .meta({ description: '任何活动在这么多天内呼叫过该号码时略去该行' }),
  includeHidden: flag.meta({ description: '1: hidden rows of an XLSX file are imported too' }),
  dryRun: flag,
});

/** Result of a file import; reports skipped hidden rows if there are any. */
export const fileImportResult = importResult
  .extend({ hiddenRows: z.int().optional().meta({ description: '工作簿中被隐藏而未导入的行数；没有时不返回' }) })
  .meta({ id: 'FileImportResult' });

export const IMPORT_STAGES = ['receiving', 'queued', 'reading', 'writing', 'done', 'failed'] as const;

export const importId = z.uuid();

/** Progress of one file import. */
export const fileImport = z
  .object({
    importId,
    campaignId: rowId,
    stage: z.enum(IMPORT_STAGES).meta({ description: '接收文件、排队、读取、写入；done 与 failed 为终态' }),
    totalRows: z.int().nullable().meta({ description: '文件的数据行数；读取完成前为 null' }),
    result: fileImportResult.nullable().meta({ description: '仅 done 时有' }),
    error: z.string().nullable().meta({ description: '仅 failed 时有，中文' }),
    updatedAt: instant,
  })
  .meta({ id: 'FileImport' });

export type FileImport = z.output<typeof fileImport>;

/** Path parameters of one import: the campaign's id and the import's. */
export const importParams = idParam.extend({ importId });
