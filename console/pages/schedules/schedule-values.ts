import { businessZone } from '../../text/business-zone.ts';
import { cronOf, type Rhythm, timesOf, USUAL_TIMES } from './times.ts';
import type { CreateReportScheduleMutationVariables, ScheduleRowFragment } from './schedules.generated.ts';

type Input = CreateReportScheduleMutationVariables['input'];
type ExportInput = NonNullable<Input['export']>;

export const SPANS = [
  'TODAY',
  'YESTERDAY',
  'LAST_24_HOURS',
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'THIS_WEEK',
  'LAST_WEEK',
  'THIS_MONTH',
  'LAST_MONTH',
] as const satisfies readonly NonNullable<Input['span']>[];

/** Kinds of exports that a schedule may send: what people hand on each day. */
export const EXPORTED = ['ATTEMPTS', 'CONTACTS', 'RESULTS', 'TRANSCRIPTS', 'DO_NOT_CALL'] as const satisfies readonly ExportInput['kind'][];
export const FORMATS = ['CSV', 'XLSX', 'NDJSON', 'PARQUET'] as const;
export const LANGUAGES = ['ZH', 'EN'] as const;

/** Choice of all rows of an export. */
export const EVERYTHING = 'ALL';

export interface ScheduleValues {
  name: string;
  /** A saved report, or an export. */
  what: 'REPORT' | 'EXPORT';
  /** Row id; empty: none. */
  reportId: string;
  exported: (typeof EXPORTED)[number];
  format: (typeof FORMATS)[number];
  /** Row id; empty: all campaigns. */
  campaignId: string;
  span: (typeof SPANS)[number] | typeof EVERYTHING;
  rhythm: Rhythm;
  at: string;
  cron: string;
  timeZone: string;
  channelId: string;
  language: (typeof LANGUAGES)[number];
}

/** `reportId`: of the report from whose page somebody came. */
export function valuesOf(row: ScheduleRowFragment | null, { reportId, language }: { reportId: string; language: string }): ScheduleValues {
  if (row === null)
    return {
      name: '',
      what: 'REPORT',
      reportId,
      exported: 'ATTEMPTS',
      format: 'CSV',
      campaignId: '',
      span: 'YESTERDAY',
      ...USUAL_TIMES,
      timeZone: businessZone(),
      channelId: '',
      language: language.startsWith('zh') ? 'ZH' : 'EN',
    };
  const { name, reportId: report, span, cron, timeZone, channelId, language: spoken } = row;
  const rest = { name, span: span ?? EVERYTHING, ...timesOf(cron), timeZone, channelId, language: spoken } as const;
  return { ...rest, what: report === null ? 'EXPORT' : 'REPORT', reportId: report ?? '', ...exportOf(row.export) };
}

/** Reads the part of a kept export that the form shows; its other filters stay while this part is not changed. */
function exportOf(kept: unknown): Pick<ScheduleValues, 'exported' | 'format' | 'campaignId'> {
  const { kind, format, calls, contacts } = membersOf(kept);
  const { campaignId } = { ...membersOf(calls), ...membersOf(contacts) };
  return {
    exported: EXPORTED.find(each => each === String(kind).toUpperCase()) ?? 'ATTEMPTS',
    format: FORMATS.find(each => each === String(format).toUpperCase()) ?? 'CSV',
    campaignId: typeof campaignId === 'number' ? String(campaignId) : '',
  };
}

/** The kind of a kept export, in small letters. */
export function kindOf(kept: unknown): string {
  const { kind } = membersOf(kept);
  return typeof kind === 'string' ? kind : '';
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

/** The whole schedule as the server takes it. */
export function inputOf(values: ScheduleValues): Input {
  const { name, timeZone, channelId, language } = values;
  return { name, timeZone, channelId, language, cron: cronOf(values), span: spanOf(values), ...whatOf(values) };
}

/** Fields of the form that together say what is sent. */
const WHAT = ['what', 'reportId', 'exported', 'format', 'campaignId'] as const;
const TIMES = ['rhythm', 'at', 'cron'] as const;

/** The members that changed; those of what is sent go together, as do those of its times. */
export function changesOf(changes: Partial<ScheduleValues>, all: ScheduleValues): Partial<Input> {
  const has = (names: readonly (keyof ScheduleValues)[]) => names.some(name => name in changes);
  const { name, timeZone, channelId, language } = changes;
  return {
    ...(name !== undefined && { name }),
    ...(timeZone !== undefined && { timeZone }),
    ...(channelId !== undefined && { channelId }),
    ...(language !== undefined && { language }),
    ...(has(TIMES) && { cron: cronOf(all) }),
    ...(has(['span', 'what']) && { span: spanOf(all) }),
    ...(has(WHAT) && whatOf(all)),
  };
}

function spanOf({ span, what }: ScheduleValues): Input['span'] {
  if (span !== EVERYTHING) return span;
  return what === 'REPORT' ? 'YESTERDAY' : null;
}

function whatOf({ what, reportId, exported, format, campaignId }: ScheduleValues): Pick<Input, 'reportId' | 'export'> {
  if (what === 'REPORT') return { reportId };
  return { export: { kind: exported, format, ...(campaignId !== '' && campaignIn(exported, campaignId)) } };
}

function campaignIn(exported: ScheduleValues['exported'], campaignId: string): Partial<ExportInput> {
  if (exported === 'DO_NOT_CALL') return {};
  return exported === 'CONTACTS' ? { campaignId } : { calls: { campaignId } };
}
