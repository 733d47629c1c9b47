import { z } from 'zod';
import { ATTEMPT_STATUSES, EMOTION_STATUSES, RECORDING_STATES } from '#attempts/attempt.ts';
import type { AttemptFilter } from '#attempts/attempt-store.ts';
import { OUTCOMES } from '#attempts/decisions/evidence.ts';
import { resultConditions } from '#attempts/decisions/result-condition.ts';
import type { AuditSearch } from '#audit/audit-store.ts';
import { SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';
import type { ContactFilter } from '#contacts/contact-filter.ts';
import { CONTACT_STATUSES, type ContactStatus } from '#contacts/contact.ts';
import { MAX_PHONE_NUMBER_LENGTH } from '#contacts/decisions/numbers.ts';
import { DO_NOT_CALL_SOURCES } from '#do-not-call/do-not-call.ts';
import type { DoNotCallSearch } from '#do-not-call/do-not-call-store.ts';
import { listCode } from '#kernel/coded-list.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { bigRowId, flag, instantText, rowId, toInstantOrNull } from '#kernel/fields.ts';
import { keysOf } from '#kernel/typed.ts';
import { keyed, type Region } from '#phone-numbers/dial-key.ts';
import { MAX_SEARCH_LENGTH } from '#platform/http/route.ts';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import { columnKeys, EXPORT_FORMATS, EXPORT_KINDS, EXPORT_LANGUAGES, type ExportKind, ROW_KINDS, type RowKind } from './export.ts';
import type { ExportRequest } from './start-export.ts';

const text = (maxLength = MAX_SEARCH_LENGTH) => z.string().trim().max(maxLength).optional();
const count = z.int().nonnegative().optional();
const span = { from: instantText.optional(), to: instantText.optional() };

// Strict, because a filter that is not understood would put more rows into the file than were asked for.
const callFilter = z
  .strictObject({
    campaignId: rowId.optional(),
    contactId: bigRowId.optional(),
    lineId: rowId.optional(),
    agentId: rowId.optional(),
    status: z.enum(ATTEMPT_STATUSES).optional(),
    withdrawn: flag.optional(),
    callStatus: z.enum(CALL_STATUSES).optional(),
    answered: flag.optional(),
    open: flag.optional(),
    outcome: z.enum(OUTCOMES).optional(),
    emotionStatus: z.enum(EMOTION_STATUSES).optional(),
    isTest: flag.optional(),
    resultMissing: flag.optional(),
    recordingState: z.enum(RECORDING_STATES).optional(),
    phoneNumber: text(MAX_PHONE_NUMBER_LENGTH),
    classification: text(),
    intent: text(),
    minDurationSeconds: count,
    maxDurationSeconds: count,
    text: text(),
    disposition: listCode.optional(),
    resultField: resultConditions.optional(),
    ...span,
  })
  .meta({ id: 'ExportedCalls' });

const contactFilter = z
  .strictObject({
    campaignId: rowId.optional(),
    q: text(),
    status: z.enum(CONTACT_STATUSES).optional(),
    phoneNumber: text(MAX_PHONE_NUMBER_LENGTH),
    minAttempts: count,
    maxAttempts: count,
    isHeld: flag.optional(),
    notDialedReason: z.enum(SKIP_REASONS).optional().meta({ description: '必须同时给出 campaignId' }),
    callStatus: z.enum(CALL_STATUSES).optional(),
    classification: text(),
    intent: text(),
    batchId: bigRowId.optional(),
    agentId: rowId.optional(),
    resultField: resultConditions.optional(),
    ...span,
  })
  .meta({ id: 'ExportedContacts' });

const doNotCallFilter = z
  .strictObject({
    q: text(),
    source: z.enum(DO_NOT_CALL_SOURCES).optional(),
    isPermanent: flag.optional(),
    isExpired: flag.optional(),
    expiresFrom: instantText.optional(),
    expiresTo: instantText.optional(),
    ...span,
  })
  .meta({ id: 'ExportedDoNotCall' });

const auditFilter = z
  .strictObject({
    q: text(),
    actorId: rowId.optional(),
    actorName: text(100),
    action: text(100),
    targetType: text(100),
    targetId: text(100),
    ...span,
  })
  .meta({ id: 'ExportedAuditLogs' });

const asked = {
  format: z.enum(EXPORT_FORMATS).optional().default('csv'),
  language: z.enum(EXPORT_LANGUAGES).optional().default('zh').meta({ description: '表头与状态的语言' }),
  columns: columnKeys.nullish().meta({ description: '列的键，见 GET /api/export-columns；缺省为常用列，变量与结果字段各一列' }),
  isMasked: flag.optional().default(false).meta({ description: '1：号码打码；没有 contact:reveal 权限的总是打码' }),
};

const filters = {
  calls: callFilter.optional().meta({ description: 'attempts、results、transcripts、vcons 的筛选' }),
  contacts: contactFilter.optional(),
  doNotCall: doNotCallFilter.optional(),
  auditLogs: auditFilter.optional(),
};

/** An export of rows of a kind; the filter of another kind is refused. */
export const newRowsExport = z
  .object({ kind: z.enum(ROW_KINDS).meta({ description: '导出的内容' }), ...asked, ...filters })
  .meta({ id: 'NewRowsExport' });

export type NewRowsExport = z.output<typeof newRowsExport>;

/** An export to be started, of rows or of figures; `stats` is the question of the noun that counts them. */
export function newExportWith<Stats extends z.ZodType>(stats: Stats) {
  return z
    .object({
      kind: z.enum(EXPORT_KINDS).meta({ description: '导出的内容' }),
      ...asked,
      ...filters,
      stats: stats.optional().meta({ description: 'stats 的问题' }),
    })
    .meta({ id: 'NewExport' });
}

type FilterName = keyof typeof filters | 'stats';

const FILTER_OF: Readonly<Record<ExportKind, FilterName>> = {
  attempts: 'calls',
  contacts: 'contacts',
  results: 'calls',
  transcripts: 'calls',
  vcons: 'calls',
  do_not_call: 'doNotCall',
  audit_log: 'auditLogs',
  stats: 'stats',
};

type Filters = Readonly<Partial<Record<FilterName, object | undefined>>>;

/** Errors: INVALID_ARGUMENT when the filter of another kind is given */
export function requireOwnFilter({ kind, ...given }: { kind: ExportKind } & Filters): void {
  const names = [...keysOf(filters), 'stats'] as const;
  const other = names.find(name => name !== FILTER_OF[kind] && given[name] !== undefined);
  if (other !== undefined) throw invalidArgument(other, 'notTogether', { other: `kind ${kind}` });
}

/**
 * The request that a body stands for.
 *
 * Errors: INVALID_ARGUMENT when the filter of another kind is given
 */
export function rowsRequestOf(place: FilterPlace, body: NewRowsExport): Extract<ExportRequest, { kind: RowKind }> {
  requireOwnFilter(body);
  const { kind, format, language, columns = null, isMasked, calls = {}, contacts = {}, doNotCall = {}, auditLogs = {} } = body;
  const common = { format, language, columns, isMasked };
  switch (kind) {
    case 'contacts':
      return { kind, ...common, filter: contactNarrowing(place, contacts) };
    case 'do_not_call':
      return { kind, ...common, filter: doNotCallSearch(place, doNotCall) };
    case 'audit_log':
      return { kind, ...common, filter: auditSearch(place, auditLogs) };
    case 'attempts':
    case 'results':
    case 'transcripts':
    case 'vcons':
      return { kind, ...common, filter: attemptFilter(place, calls) };
    default:
      return kind satisfies never;
  }
}

/** Region and time zone by which the phone numbers and times of a filter are parsed. */
export interface FilterPlace {
  region: Region;
  timeZone: string;
}

/** The filter as the list of calls takes it. */
function attemptFilter({ region, timeZone }: FilterPlace, given: NonNullable<NewRowsExport['calls']>): AttemptFilter {
  const { from, to, ...filter } = given;
  return { ...keyed(filled(filter), region), ...instants({ from, to }, timeZone) };
}

interface ContactNarrowing {
  campaignId: number | null;
  q: string;
  status: ContactStatus | null;
  filter: ContactFilter;
}

/** The filter as the list of contacts takes it, without the reason why they wait, which the door looks up. */
function contactNarrowing({ region, timeZone }: FilterPlace, given: NonNullable<NewRowsExport['contacts']>): ContactNarrowing {
  const { campaignId = null, q = '', status = null, from, to, notDialedReason: _reason, ...filter } = given;
  return { campaignId, q, status, filter: { ...keyed(filled(filter), region), ...instants({ from, to }, timeZone) } };
}

function doNotCallSearch({ timeZone }: FilterPlace, given: NonNullable<NewRowsExport['doNotCall']>): DoNotCallSearch {
  const { q = '', from, to, expiresFrom, expiresTo, ...search } = given;
  return { q, ...search, ...instants({ from, to, expiresFrom, expiresTo }, timeZone) };
}

function auditSearch({ timeZone }: FilterPlace, given: NonNullable<NewRowsExport['auditLogs']>): AuditSearch {
  const { q = '', from, to, ...search } = given;
  return { q, ...filled(search), ...instants({ from, to }, timeZone) };
}

/** An empty text filters nothing. */
function filled<Filter extends object>(filter: Filter): Filter {
  const entries = Object.entries(filter).filter(([, value]) => value !== '');
  return Object.fromEntries(entries) as Filter;
}

function instants<Name extends string>(texts: Record<Name, string | undefined>, zone: string): Partial<Record<Name, number>> {
  const entries = Object.entries<string | undefined>(texts).map(([name, at]) => [name, toInstantOrNull(at, zone) ?? undefined]);
  return Object.fromEntries(entries) as Partial<Record<Name, number>>;
}
