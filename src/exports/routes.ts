import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { createUserPlaces } from '#access/user-places.ts';
import { ATTEMPT_STATUSES, EMOTION_STATUSES, RECORDING_STATES } from '#attempts/attempt.ts';
import { resultConditionsText } from '#attempts/decisions/result-condition.ts';
import { OUTCOMES } from '#attempts/decisions/evidence.ts';
import { SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';
import { CONTACT_STATUSES, CONTACT_TITLES, type ContactText, eachText } from '#contacts/contact.ts';
import { MAX_PHONE_NUMBER_LENGTH } from '#contacts/decisions/numbers.ts';
import { MAX_GROUPS, requireAnswerable } from '#call-stats/ask-call-stats.ts';
import { callStatsAsked } from '#call-stats/call-stat.ts';
import { waitingFor } from '#dialling/explain.ts';
import { offsetMsAt } from '#kernel/calendar.ts';
import { type Job, job } from '#jobs/job.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { listCode } from '#kernel/coded-list.ts';
import { instantText, toInstant, toInstantOrNull } from '#kernel/fields.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { csvLine } from '#platform/files/csv.ts';
import { ANSWERED, handler, rawHandler, type RouteHandler } from '#platform/http/handler.ts';
import {
  bigIdParam,
  flagFilter,
  idText4,
  idText8,
  integerText,
  MAX_SEARCH_LENGTH,
  route,
  searchText,
  textFilter,
} from '#platform/http/route.ts';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import { spelledNumber, WORDS } from './decisions/export-words.ts';
import { EXPORT_KINDS, EXPORT_LANGUAGES, exportColumn, exportLink, type Words } from './export.ts';
import { newExportWith, requireOwnFilter, rowsRequestOf } from './export-request.ts';
import { getVcon } from './get-vcon.ts';
import { linkExport, openLink } from './link-export.ts';
import { sendFile } from './send-file.ts';
import { type ExportRequest, listExportColumns, startExport } from './start-export.ts';
import { fieldColumns, fieldOfContact } from './field-columns.ts';
import { exportCalls, exportContacts, type ExportedCall, type ExportedContact, type ExportRows } from './export-rows.ts';
import type { App } from '#app/app.ts';
import { type ResultField, valueUnder } from '#scripts/decisions/result-field.ts';
import { readDeclaredFields } from '#scripts/result-fields.ts';
import { keysOf } from '#kernel/typed.ts';

/** Language and time zone of an exported file. */
interface SheetStyle {
  language: 'zh' | 'en';
  /** Business time zone. */
  zone: string;
}

interface Column<Row> {
  title: Words;
  cell: (row: Row, style: SheetStyle) => string | number | null;
}

/** Columns of one kind of file that users open in a spreadsheet. */
type Sheet<Row> = readonly Column<Row>[];

const CALL_SHEET: Sheet<ExportedCall> = [
  { title: ['编号', 'Id'], cell: ({ id }) => id },
  { title: ['活动', 'Campaign'], cell: ({ campaignName }) => campaignName },
  { title: ['号码', 'Number'], cell: ({ phoneNumber }) => phoneNumber },
  { title: ['姓名', 'Name'], cell: ({ customerName }) => customerName },
  { title: ['结果', 'Outcome'], cell: ({ callStatus }, style) => wordOf(WORDS.callStatus, callStatus, style) },
  { title: ['状态', 'Status'], cell: ({ status }, style) => wordOf(WORDS.attemptStatus, status, style) },
  { title: ['拨号时间', 'Dialled at'], cell: ({ startedAt }, style) => timeOf(startedAt, style) },
  { title: ['接听时间', 'Answered at'], cell: ({ answeredAt }, style) => timeOf(answeredAt, style) },
  { title: ['结束时间', 'Ended at'], cell: ({ endedAt }, style) => timeOf(endedAt, style) },
  { title: ['通话秒数', 'Seconds talked'], cell: ({ durationSeconds }) => durationSeconds },
  { title: ['挂断方', 'Hung up by'], cell: ({ userName, hangupBy }, style) => userName || wordOf(WORDS.hangupBy, hangupBy, style) },
  { title: ['挂断原因', 'Hang-up cause'], cell: ({ hangupCause }) => hangupCause },
  { title: ['分类', 'Class'], cell: ({ classification }) => classification },
  { title: ['意图', 'Intent'], cell: ({ intent }) => intent },
  { title: ['坐席结果', 'Disposition'], cell: ({ dispositions }) => dispositions.at(-1)?.label ?? '' },
  { title: ['坐席备注', "Agent's note"], cell: ({ dispositions }) => dispositions.at(-1)?.note ?? '' },
  { title: ['线路', 'Line'], cell: ({ lineName }) => lineName },
  { title: ['主叫号码', 'Caller id'], cell: ({ callerNumber }) => callerNumber },
];

type ContactCell = Column<ExportedContact>['cell'];

/** Cells of the members that are not texts. */
const CONTACT_CELLS: Readonly<Record<Exclude<keyof typeof CONTACT_TITLES, ContactText>, ContactCell>> = {
  id: ({ id }) => id,
  campaign: ({ campaignName }) => campaignName,
  phoneNumber: ({ phoneNumber, numbers }) =>
    spelledNumber(numbers.find(number => number.phoneNumber === phoneNumber) ?? { phoneNumber, extension: '' }),
  otherNumbers: ({ phoneNumber, numbers }) =>
    numbers
      .filter(number => number.phoneNumber !== phoneNumber)
      .map(spelledNumber)
      .join('、'),
  status: ({ status }, style) => wordOf(WORDS.contactStatus, status, style),
  attemptCount: ({ attemptCount }) => attemptCount,
  priority: ({ priority }) => priority,
  retryAt: ({ retryAt }, style) => timeOf(retryAt, style),
  holdReason: ({ holdReason }) => holdReason,
  metadata: ({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)),
  createdAt: ({ createdAt }, style) => timeOf(createdAt, style),
};

const CELLS = {
  ...CONTACT_CELLS,
  ...eachText(
    (name): ContactCell =>
      contact =>
        contact[name],
  ),
};
const CONTACT_SHEET: Sheet<ExportedContact> = keysOf(CONTACT_TITLES).map(name => ({
  title: CONTACT_TITLES[name],
  cell: CELLS[name],
}));

const valueOfCall = ({ resultFields }: ExportedCall, key: string) => valueUnder(resultFields ?? {}, key);
const valueOfContact = ({ found }: ExportedContact, key: string) => fieldOfContact(found, key);

function headerOf(sheet: Sheet<never>, { language }: SheetStyle): string[] {
  return sheet.map(({ title }) => inLanguage(title, language));
}

function cellsOf<Row>(sheet: Sheet<Row>, row: Row, style: SheetStyle): (string | number | null)[] {
  return sheet.map(({ cell }) => cell(row, style));
}

function wordOf<Key extends string>(words: Readonly<Record<Key, Words>>, key: Key | null, { language }: SheetStyle): string {
  return key === null ? '' : inLanguage(words[key], language);
}

function inLanguage([zh, en]: Words, language: SheetStyle['language']): string {
  return language === 'en' ? en : zh;
}

/** `2026-10-01 09:00:00` in the business time zone, a form that spreadsheets recognise as a time. */
function timeOf(at: number | null, { zone }: SheetStyle): string {
  return at === null ? '' : new Date(at + offsetMsAt(zone, at)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Query members that both exports share. */
const asked = {
  order: z.enum(['asc', 'desc']).optional().default('desc').meta({ description: '按时间的顺序，默认最新在前' }),
  language: z.enum(['zh', 'en']).optional().default('zh').meta({ description: '表头与状态的语言' }),
  callStatus: z.enum(CALL_STATUSES).optional(),
  phoneNumber: textFilter(MAX_PHONE_NUMBER_LENGTH),
  agentId: idText4.optional(),
  classification: textFilter(MAX_SEARCH_LENGTH),
  intent: textFilter(MAX_SEARCH_LENGTH),
  from: instantText.optional().meta({ description: '不早于' }),
  to: instantText.optional().meta({ description: '早于' }),
  resultField: resultConditionsText,
};

const seconds = integerText({ min: 0 }).optional();

/** Requires the permission to listen to recordings, because the file takes the phone numbers of many customers out of the system. */
export const exportCallsRoute = route('GET /api/exports/calls', 'campaign:dispatch', '导出通话记录为 CSV，最多 100000 行', {
  query: z.object({
    ...asked,
    campaignId: idText4.optional(),
    status: z.enum(ATTEMPT_STATUSES).optional(),
    emotionStatus: z.enum(EMOTION_STATUSES).optional(),
    withdrawn: flagFilter,
    outcome: z.enum(OUTCOMES).optional(),
    answered: flagFilter,
    open: flagFilter,
    resultMissing: flagFilter,
    recordingState: z.enum(RECORDING_STATES).optional(),
    contactId: idText8.optional(),
    lineId: idText4.optional(),
    minDurationSeconds: seconds,
    maxDurationSeconds: seconds,
    text: textFilter(MAX_SEARCH_LENGTH),
    disposition: listCode.optional(),
  }),
  data: z.never(),
  media: 'text/csv',
});

export const exportContactsRoute = route('GET /api/exports/contacts', 'campaign:dispatch', '导出联系人为 CSV，最多 100000 行', {
  query: z.object({
    ...asked,
    campaignId: idText4.optional(),
    q: searchText,
    status: z.enum(CONTACT_STATUSES).optional(),
    minAttempts: seconds,
    maxAttempts: seconds,
    isHeld: flagFilter,
    notDialedReason: z.enum(SKIP_REASONS).optional().meta({ description: '必须同时给出 campaignId' }),
    batchId: idText8.optional(),
  }),
  data: z.never(),
  media: 'text/csv',
});

/** A question about calls; without a limit the file has every group. */
const statsQuestion = callStatsAsked
  .extend({ from: instantText, to: instantText, limit: z.int().min(1).max(MAX_GROUPS).optional().default(MAX_GROUPS) })
  .meta({ id: 'ExportedStats' });

const newExport = newExportWith(statsQuestion);

type NewExport = z.output<typeof newExport>;

/** The rows decide which permission it needs; `startExport` asks for it. */
export const startExportRoute = route('POST /api/exports', 'session', '开始导出：后台任务写出文件，行数不限', {
  body: newExport,
  data: z.object({ job }),
});

export const listExportColumnsRoute = route('GET /api/export-columns', 'session', '一种导出可选的列', {
  query: z.object({
    kind: z.enum(EXPORT_KINDS),
    campaignId: idText4.optional().meta({ description: '变量与结果字段所属的活动；缺省为所有活动' }),
    language: z.enum(EXPORT_LANGUAGES).optional().default('zh'),
  }),
  data: z.object({ columns: z.array(exportColumn) }),
});

export const linkExportRoute = route('POST /api/exports/:id/link', 'session', '取得导出文件的下载地址，十分钟内有效，无需登录', {
  params: bigIdParam,
  data: z.object({ link: exportLink }),
});

export const getVconRoute = route(
  'GET /api/call-attempts/:id/vcon',
  'campaign:dispatch',
  '一次通话的 vCon（IETF）：各方、对话、录音与结果',
  {
    params: bigIdParam,
    data: z.object({ vcon: z.json() }),
  },
);

const MAX_LINK_LENGTH = 500;

export const readExportFileRoute = route('GET /api/export-files/:link', 'public', '下载导出文件；地址由 POST /api/exports/:id/link 给出', {
  params: z.object({ link: z.string().max(MAX_LINK_LENGTH) }),
  data: z.never(),
  media: 'application/octet-stream',
});

/** Most files that one instance writes at once, because each queries the database repeatedly. */
const EXPORTS = { all: 6, ofUser: 2, refusal: '正在进行的导出过多，请稍后重试', retryAfterSeconds: 5 };
/** Longest duration of an export, in ms; a slower client is disconnected. 40 MB take five minutes over a slow line. */
const MAX_EXPORT_MS = 15 * 60_000;
/** A client that reads nothing for this long is disconnected, in ms. */
const STALL_MS = 30_000;
/** Marks the text as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';

interface Exchange {
  caller: Caller;
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
}

/** Calls and contacts as files for spreadsheets: the rows that match a filter, streamed as they are read. */
export function exportHandlers(app: App): RouteHandler[] {
  const zone = app.timeZone;
  const places = createUserPlaces(EXPORTS);

  async function answer<Row>(
    exchange: Exchange,
    { sheetOf, campaignId = null, name, language }: CsvFile<Row>,
    open: () => Promise<ExportRows<Row>>,
  ): Promise<typeof ANSWERED> {
    await places(exchange.caller, async () => {
      const rows = await open();
      const sheet = sheetOf(await readDeclaredFields(app, { campaignId }));
      await send(exchange, name, textOf(sheet, rows, { language, zone }));
    });
    return ANSWERED;
  }

  return [
    rawHandler(exportCallsRoute, ({ query: { order, language, from, to, ...filter }, ...exchange }) =>
      answer(
        exchange,
        {
          sheetOf: fields => [...CALL_SHEET, ...fieldColumns(fields, valueOfCall)],
          campaignId: filter.campaignId,
          name: 'calls',
          language,
        },
        () =>
          exportCalls(app, exchange.caller, { filter: { ...keyed(filter, app.region), ...span(from, to) }, isAscending: order === 'asc' }),
      ),
    ),
    rawHandler(exportContactsRoute, ({ query, ...exchange }) => {
      const { order, language, from, to, campaignId = null, q, status = null, notDialedReason, ...filter } = query;
      const sheetOf = (fields: readonly ResultField[]) => [...CONTACT_SHEET, ...fieldColumns(fields, valueOfContact)];
      return answer(exchange, { sheetOf, campaignId, name: 'contacts', language }, async () => {
        const waiting = notDialedReason && { waiting: await waitingFor(app, requireCampaign(campaignId), notDialedReason) };
        const contacts = { q, status, filter: { ...keyed(filter, app.region), ...span(from, to), ...waiting } };
        return exportContacts(app, exchange.caller, { campaignId, query: contacts, isAscending: order === 'asc' });
      });
    }),
  ];

  function span(from: string | undefined, to: string | undefined) {
    return { from: toInstantOrNull(from, zone) ?? undefined, to: toInstantOrNull(to, zone) ?? undefined };
  }
}

/** Exports as jobs, and the files that they have made. Source: D2.11 */
export function exportJobHandlers(app: App): RouteHandler[] {
  return [
    handler(startExportRoute, async ({ body, caller }) => ({ job: await startNamedExport(app, caller, body) })),
    handler(listExportColumnsRoute, async ({ query: { campaignId = null, ...asked }, caller }) => ({
      columns: await listExportColumns(app, caller, { ...asked, campaignId }),
    })),
    handler(linkExportRoute, async ({ params, caller }) => ({ link: await linkExport(app, caller, params.id) })),
    handler(getVconRoute, async ({ params, caller }) => ({ vcon: await getVcon(app, caller, params.id) })),
    rawHandler(readExportFileRoute, async ({ params: { link }, caller, ...exchange }) => {
      await sendFile(exchange, await openLink(app, caller, link));
      return ANSWERED;
    }),
  ];
}

/** Starts an export as a body asks for it. */
export async function startNamedExport(app: App, caller: Caller, body: NewExport): Promise<Job> {
  return startExport(app, caller, await requestOf(app, body));
}

async function requestOf(app: App, { kind, stats, ...body }: NewExport): Promise<ExportRequest> {
  if (kind === 'stats') return statsRequestOf(app, { kind, stats, ...body });
  requireOwnFilter({ kind, stats });
  const request = rowsRequestOf(app, { kind, ...body });
  const { notDialedReason } = body.contacts ?? {};
  if (request.kind !== 'contacts' || !notDialedReason) return request;
  const waiting = await waitingFor(app, requireCampaign(request.filter.campaignId), notDialedReason);
  return { ...request, filter: { ...request.filter, filter: { ...request.filter.filter, waiting } } };
}

function statsRequestOf(app: App, { stats, ...body }: NewExport): ExportRequest {
  requireOwnFilter({ ...body, kind: 'stats' });
  if (stats === undefined) throw invalidArgument('stats', 'missing');
  const { format, language, columns = null, isMasked } = body;
  const question = { ...stats, from: toInstant(stats.from, app.timeZone), to: toInstant(stats.to, app.timeZone) };
  requireAnswerable(app, question);
  return { kind: 'stats', format, language, columns, isMasked, filter: question };
}

interface CsvFile<Row> {
  /** With a column for each result field. */
  sheetOf: (fields: readonly ResultField[]) => Sheet<Row>;
  /** The campaign whose scripts declare the result fields; the scripts of all campaigns when absent. */
  campaignId?: number | null | undefined;
  name: string;
  language: SheetStyle['language'];
}

function requireCampaign(campaignId: number | null): number {
  if (campaignId === null) throw invalidArgument('notDialedReason', 'onlyTogether', { other: 'campaignId' });
  return campaignId;
}

async function* textOf<Row>(sheet: Sheet<Row>, slices: ExportRows<Row>, style: SheetStyle): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(headerOf(sheet, style));
  for await (const rows of slices) yield rows.map(row => csvLine(cellsOf(sheet, row, style))).join('');
}

/** A failure after the headers breaks the connection, so that half a file never looks complete. */
async function send({ request, response, signal }: Exchange, name: string, text: AsyncGenerator<string>): Promise<void> {
  response.setHeader('Content-Type', 'text/csv; charset=utf-8');
  response.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  response.setTimeout(STALL_MS, () => response.destroy());
  if (request.method === 'HEAD') response.end();
  else await pipeline(Readable.from(text), response, { signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_EXPORT_MS)]) });
}
