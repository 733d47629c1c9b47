import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportCallsRoute, exportContactsRoute } from '#contract/rest/exports.ts';
import { waitingFor } from '#dialling/explain-campaign.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { toInstantOrNull } from '#model/instant-text.ts';
import { exportCalls, type ExportCallsDeps } from '#operations/exporting/export-calls.ts';
import { exportContacts, type ExportContactsDeps } from '#operations/exporting/export-contacts.ts';
import type { ExportRows } from '#operations/exporting/export-rows.ts';
import { ANSWERED, rawHandler, type RouteHandler } from './handler.ts';
import { csvLine } from './present/csv.ts';
import { CALL_SHEET, cellsOf, CONTACT_SHEET, headerOf, type Sheet, type SheetStyle } from './present/exported-rows.ts';

/** Files that one instance writes at once: each asks the database again and again. */
const MAX_EXPORTS = 4;
const RETRY_AFTER_S = 5;
/** A reader that takes nothing for so long is let go, ms. */
const STALL_MS = 30_000;
/** Tells spreadsheets that the text is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

type ExportDeps = ExportCallsDeps & ExportContactsDeps & Parameters<typeof waitingFor>[0];

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
}

/** Calls and contacts as files for spreadsheets: what a filter finds, streamed as it is read. */
export function exportHandlers(deps: ExportDeps): RouteHandler[] {
  const zone = deps.timeZone;
  let underWay = 0;

  async function answer<Row>(
    exchange: Exchange,
    { sheet, name, language }: CsvFile<Row>,
    open: () => Promise<ExportRows<Row>>,
  ): Promise<typeof ANSWERED> {
    if (underWay >= MAX_EXPORTS)
      throw new CalloutError('RATE_LIMITED', '正在进行的导出过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_S });
    underWay += 1;
    try {
      await send(exchange, name, textOf(sheet, await open(), { language, zone }));
    } finally {
      underWay -= 1;
    }
    return ANSWERED;
  }

  return [
    rawHandler(exportCallsRoute, ({ query: { order, language, from, to, ...filter }, caller, ...exchange }) =>
      answer(exchange, { sheet: CALL_SHEET, name: 'calls', language }, () =>
        exportCalls(deps, caller, { filter: { ...filter, ...span(from, to) }, isAscending: order === 'asc' }),
      ),
    ),
    rawHandler(exportContactsRoute, ({ query, caller, ...exchange }) => {
      const { order, language, from, to, campaignId = null, q, status = null, notDialedReason, ...filter } = query;
      return answer(exchange, { sheet: CONTACT_SHEET, name: 'contacts', language }, async () => {
        const waiting = notDialedReason && { waiting: await waitingFor(deps, requireCampaign(campaignId), notDialedReason) };
        const contacts = { q, status, filter: { ...filter, ...span(from, to), ...waiting } };
        return exportContacts(deps, caller, { campaignId, query: contacts, isAscending: order === 'asc' });
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

/** What fails once the head has left breaks the connection: half a file never looks like a whole one. */
async function send({ request, response, signal }: Exchange, name: string, text: AsyncGenerator<string>): Promise<void> {
  response.setHeader('Content-Type', 'text/csv; charset=utf-8');
  response.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  response.setTimeout(STALL_MS, () => response.destroy());
  if (request.method === 'HEAD') response.end();
  else await pipeline(Readable.from(text), response, { signal });
}
