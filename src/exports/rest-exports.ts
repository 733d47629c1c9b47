import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportCallsRoute, exportContactsRoute } from './exports.ts';
import { waitingFor } from '#dialling/explain-campaign.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import type { Caller } from '#kernel/caller.ts';
import { createUserPlaces } from '#access/user-places.ts';
import { exportCalls, type ExportCallsDeps } from './export-calls.ts';
import { exportContacts, type ExportContactsDeps } from './export-contacts.ts';
import type { ExportRows } from './export-rows.ts';
import { ANSWERED, rawHandler, type RouteHandler } from '#platform/http/handler.ts';
import { csvLine } from '#platform/files/csv.ts';
import { CALL_SHEET, cellsOf, CONTACT_SHEET, headerOf, type Sheet, type SheetStyle } from './exported-rows.ts';

/** Most files that one instance writes at once, because each queries the database repeatedly. */
const EXPORTS = { all: 6, ofUser: 2, refusal: '正在进行的导出过多，请稍后重试', retryAfterSeconds: 5 };
/** Longest duration of an export, in ms; a slower client is disconnected. 40 MB take five minutes over a slow line. */
const MAX_EXPORT_MS = 15 * 60_000;
/** A client that reads nothing for this long is disconnected, in ms. */
const STALL_MS = 30_000;
/** Marks the text as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';

type ExportDeps = ExportCallsDeps & ExportContactsDeps & Parameters<typeof waitingFor>[0];

interface Exchange {
  caller: Caller;
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
}

/** Calls and contacts as files for spreadsheets: the rows that match a filter, streamed as they are read. */
export function exportHandlers(deps: ExportDeps): RouteHandler[] {
  const zone = deps.timeZone;
  const places = createUserPlaces(EXPORTS);

  async function answer<Row>(
    exchange: Exchange,
    { sheet, name, language }: CsvFile<Row>,
    open: () => Promise<ExportRows<Row>>,
  ): Promise<typeof ANSWERED> {
    await places(exchange.caller, async () => send(exchange, name, textOf(sheet, await open(), { language, zone })));
    return ANSWERED;
  }

  return [
    rawHandler(exportCallsRoute, ({ query: { order, language, from, to, ...filter }, ...exchange }) =>
      answer(exchange, { sheet: CALL_SHEET, name: 'calls', language }, () =>
        exportCalls(deps, exchange.caller, { filter: { ...keyed(filter, deps.region), ...span(from, to) }, isAscending: order === 'asc' }),
      ),
    ),
    rawHandler(exportContactsRoute, ({ query, ...exchange }) => {
      const { order, language, from, to, campaignId = null, q, status = null, notDialedReason, ...filter } = query;
      return answer(exchange, { sheet: CONTACT_SHEET, name: 'contacts', language }, async () => {
        const waiting = notDialedReason && { waiting: await waitingFor(deps, requireCampaign(campaignId), notDialedReason) };
        const contacts = { q, status, filter: { ...keyed(filter, deps.region), ...span(from, to), ...waiting } };
        return exportContacts(deps, exchange.caller, { campaignId, query: contacts, isAscending: order === 'asc' });
      });
    }),
  ];

  function span(from: string | undefined, to: string | undefined) {
    return { from: toInstantOrNull(from, zone) ?? undefined, to: toInstantOrNull(to, zone) ?? undefined };
  }
}

interface CsvFile<Row> {
  sheet: Sheet<Row>;
  name: string;
  language: SheetStyle['language'];
}

function requireCampaign(campaignId: number | null): number {
  if (campaignId === null) throw invalidArgument('notDialedReason', '只能与 campaignId 一起使用');
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
