import { requireNarrow } from '#attempts/attempt-store.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import type { Job } from '#jobs/job.ts';
import { startJob } from '#jobs/job-store.ts';
import { type Caller, requireAccess } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/json.ts';
import { maySeeNumbers, type ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import type { Platform } from '#platform/platform.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import {
  type ExportColumn,
  type ExportFormat,
  type ExportInput,
  type ExportKind,
  type ExportLanguage,
  FORMATS_OF,
  KINDS,
} from './export.ts';
import { EXPORT_JOB } from './export-job.ts';
import { sampleVariables } from './find-variables.ts';
import { chooseColumns, everyColumn, presentColumns } from './plan-columns.ts';
import { readDeclaredFields } from '#scripts/result-fields.ts';
import { type FilterOf, sourceOf } from './sources/source-of.ts';

/** A validated request for an export; each kind has its own type of filter. */
export type ExportRequest = {
  [Kind in ExportKind]: {
    kind: Kind;
    filter: FilterOf[Kind];
    format: ExportFormat;
    language: ExportLanguage;
    columns: readonly string[] | null;
    isMasked: boolean;
  };
}[ExportKind];

type StartApp = AuditPart & ShownNumbersPart & Pick<Platform, 'db'>;

/**
 * Starts an export; its job writes the file.
 *
 * Errors: FORBIDDEN without the permission for the rows; NOT_FOUND for a campaign that is gone; INVALID_ARGUMENT for a filter that would scan
 *         every call, or a column that is none; RATE_LIMITED
 */
export async function startExport(app: StartApp, caller: Caller, request: ExportRequest): Promise<Job> {
  const { kind, format, language } = request;
  requireAccess(KINDS[kind].needs, caller);
  const input = inputOf(app, caller, request);
  await requireSource(app, input);
  const title = `导出${KINDS[kind].title[0]}（${format.toUpperCase()}）`;
  const job = await app.db.transaction(tx => startJob(tx, caller, { kind: EXPORT_JOB, title, about: { kind, format }, input }));
  await audit(app, caller, {
    action: 'export.started',
    targetType: 'job',
    targetId: job.id,
    summary: title,
    detail: { kind, format, language, columns: input.columns, filter: input.filter, isMasked: input.isMasked },
  });
  return job;
}

function inputOf(app: ShownNumbersPart, caller: Caller, { filter, columns, isMasked, ...request }: ExportRequest): ExportInput {
  return {
    ...request,
    columns: columns === null ? null : [...columns],
    isMasked: isMasked || !maySeeNumbers(app, caller),
    filter: storable(filter),
  };
}

/** Without members that filter nothing. */
function storable(filter: object): JsonObject {
  return JSON.parse(JSON.stringify(filter));
}

/** Kinds whose filter is that of calls. */
const CALLS: readonly ExportKind[] = ['attempts', 'results', 'transcripts', 'vcons'];

function requireFormat({ kind, format }: Pick<ExportInput, 'kind' | 'format'>): void {
  const values = FORMATS_OF[kind];
  if (values !== undefined && !values.includes(format)) throw invalidArgument('format', 'oneOf', { values: [...values] });
}

async function requireSource(app: Pick<Platform, 'db'>, input: ExportInput): Promise<void> {
  requireFormat(input);
  const source = sourceOf(input);
  if (CALLS.includes(input.kind)) requireNarrow(input.filter);
  if (source.campaignId) await requireRow(app, CAMPAIGN_TABLE, source.campaignId, '活动');
  chooseColumns(source, input.columns, { variables: [], fields: [], numberKeys: [] });
}

/** The columns that an export of the kind may have: variables and result fields of a campaign, or of all. */
export async function listExportColumns(
  app: Pick<Platform, 'db'>,
  caller: Caller,
  { kind, campaignId, language }: { kind: ExportKind; campaignId: number | null; language: ExportLanguage },
): Promise<ExportColumn[]> {
  requireAccess(KINDS[kind].needs, caller);
  const source = sourceOf({ kind, filter: { q: '', ...(campaignId === null ? {} : { campaignId }) } });
  const [variables, fields] = await Promise.all([
    source.variables === undefined ? [] : sampleVariables(app, campaignId),
    source.results === undefined ? [] : readDeclaredFields(app, { campaignId }),
  ]);
  return presentColumns(everyColumn(source, { variables, fields, numberKeys: [] }), language);
}
