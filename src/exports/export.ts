import { z } from 'zod';
import type { Permission } from '#kernel/caller.ts';
import { bigRowId, instant } from '#kernel/fields.ts';

/** Kinds of records that an export can have as its rows. */
export const ROW_KINDS = ['attempts', 'contacts', 'results', 'transcripts', 'vcons', 'do_not_call', 'audit_log'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** `stats` has groups of calls with their figures as its rows: they are counted at once, not read one after the other. */
export const EXPORT_KINDS = [...ROW_KINDS, 'stats'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_LANGUAGES = ['zh', 'en'] as const;
export type ExportLanguage = (typeof EXPORT_LANGUAGES)[number];

/** Texts of people in both languages. */
export type Words = readonly [zh: string, en: string];

/**
 * Names of the kinds, and the permission that their rows ask for.
 *
 * Why: a file takes the data of many customers out of the system, so it needs more than a look at the list
 */
export const KINDS: Readonly<Record<ExportKind, { title: Words; needs: Permission }>> = {
  attempts: { title: ['通话', 'calls'], needs: 'campaign:dispatch' },
  contacts: { title: ['联系人', 'contacts'], needs: 'campaign:dispatch' },
  results: { title: ['通话结果', 'results'], needs: 'campaign:dispatch' },
  transcripts: { title: ['通话转写', 'transcripts'], needs: 'campaign:dispatch' },
  vcons: { title: ['通话vCon', 'vcons'], needs: 'campaign:dispatch' },
  do_not_call: { title: ['勿扰名单', 'do-not-call'], needs: 'compliance:write' },
  audit_log: { title: ['审计日志', 'audit-log'], needs: 'audit:read' },
  stats: { title: ['通话统计', 'call-stats'], needs: 'campaign:dispatch' },
};

/** Formats of the kinds that do not have them all: a vCon is an object. */
export const FORMATS_OF: Partial<Record<ExportKind, readonly ExportFormat[]>> = { vcons: ['ndjson'] };

/** Keys of columns that stand for a contact's variable or a result field. */
export const VARIABLE = 'variable.';
export const RESULT = 'result.';

export const MAX_COLUMNS = 300;
/** Longest key of a column: a variable may be named by a person. */
export const MAX_COLUMN_KEY = 200;

export const columnKeys = z.array(z.string().min(1).max(MAX_COLUMN_KEY)).min(1).max(MAX_COLUMNS);

/** A column that an export may have. */
export const exportColumn = z
  .object({
    key: z.string(),
    title: z.string(),
    type: z.enum(['text', 'integer', 'number', 'flag', 'instant', 'json']),
    isDefault: z.boolean().meta({ description: '未指定列时是否导出' }),
  })
  .meta({ id: 'ExportColumn' });

export type ExportColumn = z.output<typeof exportColumn>;

/** The result of a finished export, as its job has it. */
export const exportedFile = z.object({
  /** Key at the file store. */
  file: z.string(),
  fileName: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  rows: z.int(),
});

export type ExportedFile = z.output<typeof exportedFile>;

/** An address at which the file can be fetched without a session, until it expires. */
export const exportLink = z
  .object({ jobId: bigRowId, url: z.string().meta({ description: '相对于服务器地址，无需登录' }), expiresAt: instant })
  .meta({ id: 'ExportLink' });

export type ExportLink = z.output<typeof exportLink>;

const common = {
  format: z.enum(EXPORT_FORMATS),
  language: z.enum(EXPORT_LANGUAGES),
  /** Null: the usual ones, with a column for each variable and result field. */
  columns: columnKeys.nullable(),
  /** Phone numbers are masked: the owner may not see them, or does not want them in the file. */
  isMasked: z.boolean(),
  filter: z.record(z.string(), z.json()),
};

const rowsInput = z.object({ kind: z.enum(ROW_KINDS), ...common });
const statsInput = z.object({ kind: z.literal('stats'), ...common });

/** Input of an export job. The source of the kind parses `filter`. */
export const exportInput = z.union([rowsInput, statsInput]);

export type RowsInput = z.output<typeof rowsInput>;
export type StatsInput = z.output<typeof statsInput>;
export type ExportInput = z.output<typeof exportInput>;
