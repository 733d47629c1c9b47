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
import type { Sql } from '#platform/postgres/database.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import {
  type ExportColumn,
  type ExportFormat,
  type ExportInput,
  type ExportKind,
  type ExportLanguage,
  FORMATS_OF,
  KINDS,
  type RowKind,
} from './export.ts';
import { EXPORT_JOB } from './export-job.ts';
import { sampleVariables } from './find-variables.ts';
import { chooseColumns, everyColumn, presentColumns } from './plan-columns.ts';
import { readDeclaredFields } from '#scripts/result-fields.ts';
import { type FilterOf, sourceOf } from './sources/source-of.ts';

/** A question about calls; the noun that counts them parses it. */
type StatsFilter = { from: number; to: number } & object;

/** A validated request for an export; each kind has its own type of filter. */
export type ExportRequest = {
  [Kind in ExportKind]: {
    kind: Kind;
    filter: Kind extends RowKind ? FilterOf[Kind] : StatsFilter;
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
  const input = await prepareExport(app, caller, request);
  const job = await app.db.transaction(tx => startExportIn(tx, caller, input));
  await auditExport(app, caller, job, input);
  return job;
}

/** Checks a request, and makes the input of its job. Errors: those of `startExport` */
export async function prepareExport(app: StartApp, caller: Caller, request: ExportRequest): Promise<ExportInput> {
  requireAccess(KINDS[request.kind].needs, caller);
  const input = inputOf(app, caller, request);
  await requireSource(app, input);
  return input;
}

/** Starts the job of a prepared export in the caller's transaction; `auditExport` follows it. Errors: RATE_LIMITED */
export function startExportIn(tx: Sql, caller: Caller, input: ExportInput): Promise<Job> {
  const { kind, format } = input;
  return startJob(tx, caller, { kind: EXPORT_JOB, title: titleOf(input), about: { kind, format }, input });
}

export async function auditExport(app: AuditPart, caller: Caller, job: Job, input: ExportInput): Promise<void> {
  const { kind, format, language, columns, filter, isMasked } = input;
  await audit(app, caller, {
    action: 'export.started',
    targetType: 'job',
    targetId: job.id,
    summary: titleOf(input),
    detail: { kind, format, language, columns, filter, isMasked },
  });
}

function titleOf({ kind, format }: ExportInput): string {
  return `导出${KINDS[kind].title[0]}（${format.toUpperCase()}）`;
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
  if (input.kind === 'stats') return requireNoColumns(input);
  const source = sourceOf(input);
  if (CALLS.includes(input.kind)) requireNarrow(input.filter);
  if (source.campaignId) await requireRow(app, CAMPAIGN_TABLE, source.campaignId, '活动');
  chooseColumns(source, input.columns, { variables: [], fields: [], numberKeys: [] });
}

/** The question of the figures says which columns there are. */
function requireNoColumns({ columns }: ExportInput): void {
  if (columns !== null) throw invalidArgument('columns', 'notTogether', { other: 'kind stats' });
}

/** The columns that an export of the kind may have: variables and result fields of a campaign, or of all. */
export async function listExportColumns(
  app: Pick<Platform, 'db'>,
  caller: Caller,
  { kind, campaignId, language }: { kind: ExportKind; campaignId: number | null; language: ExportLanguage },
): Promise<ExportColumn[]> {
  requireAccess(KINDS[kind].needs, caller);
  if (kind === 'stats') return [];
  const source = sourceOf({ kind, filter: { q: '', ...(campaignId === null ? {} : { campaignId }) } });
  const [variables, fields] = await Promise.all([
    source.variables === undefined ? [] : sampleVariables(app, campaignId),
    source.results === undefined ? [] : readDeclaredFields(app, { campaignId }),
  ]);
  return presentColumns(everyColumn(source, { variables, fields, numberKeys: [] }), language);
}
