import { z } from 'zod';
import { toInstant } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, idText8, route } from '#platform/http/route.ts';
import { listNumberUse, numberUse, resumeNumber, restInput, restNumber } from '#outcomes/line-numbers.ts';
import { createLine, deleteLine, listLines, updateLine } from './line-store.ts';
import { linePrice, linePriceInput } from './decisions/line-price.ts';
import { line, lineChanges, newLine } from './line.ts';
import { listLinePrices, removeLinePrice, setLinePrice } from './line-prices.ts';
import type { App } from '#app/app.ts';

const oneLine = z.object({ line });

export const listLinesRoute = route('GET /api/lines', 'session', '外呼线路列表', {
  data: z.object({ rows: z.array(line), total: z.int().nonnegative() }),
});

export const createLineRoute = route('POST /api/lines', 'line:write', '新建外呼线路', { body: newLine, data: oneLine });

export const updateLineRoute = route('PATCH /api/lines/:id', 'line:write', '修改外呼线路', {
  params: idParam,
  body: lineChanges,
  data: oneLine,
});

export const deleteLineRoute = route('DELETE /api/lines/:id', 'line:write', '删除没有被引用的外呼线路', { params: idParam, data: oneLine });

export const listNumberUseRoute = route('GET /api/lines/:id/numbers', 'session', '线路各号码的用量与接通情况', {
  params: idParam,
  data: z.object({ rows: z.array(numberUse) }),
});

const numberOfLine = z.object({ id: idText4, numberId: idText4 });
const oneNumber = z.object({ number: numberUse });

export const restNumberRoute = route('POST /api/lines/:id/numbers/:numberId/rest', 'line:write', '让号码休息', {
  params: numberOfLine,
  body: restInput,
  data: oneNumber,
});

export const resumeNumberRoute = route('POST /api/lines/:id/numbers/:numberId/resume', 'line:write', '让号码恢复使用', {
  params: numberOfLine,
  data: oneNumber,
});

const onePrice = z.object({ price: linePrice });

export const listLinePricesRoute = route('GET /api/lines/:id/prices', 'session', '线路的价格，从最新的起', {
  params: idParam,
  data: z.object({ rows: z.array(linePrice) }),
});

export const setLinePriceRoute = route('POST /api/lines/:id/prices', 'line:write', '设置线路从某时起的价格；以前的通话仍按当时的价格', {
  params: idParam,
  body: linePriceInput,
  data: onePrice,
});

export const removeLinePriceRoute = route('DELETE /api/lines/:id/prices/:priceId', 'line:write', '移除线路的一个价格，由它之前的价格接续', {
  params: z.object({ id: idText4, priceId: idText8 }),
  data: onePrice,
});

/** Source: OCS 4.4 */
export function lineHandlers(app: App): RestHandler[] {
  return [
    handler(listLinesRoute, () => listLines(app)),
    handler(createLineRoute, async ({ body, caller }) => ({ line: await createLine(app, caller, body) })),
    handler(updateLineRoute, async ({ params, body, caller }) => ({ line: await updateLine(app, caller, params.id, body) })),
    handler(listNumberUseRoute, async ({ params }) => ({ rows: await listNumberUse(app, params.id) })),
    handler(restNumberRoute, async ({ params, body, caller }) => ({ number: await restNumber(app, caller, params, body) })),
    handler(resumeNumberRoute, async ({ params, caller }) => ({ number: await resumeNumber(app, caller, params) })),
    handler(listLinePricesRoute, async ({ params }) => ({ rows: await listLinePrices(app, params.id) })),
    handler(setLinePriceRoute, async ({ params, body: { validFrom, ...terms }, caller }) => {
      const from = validFrom === undefined ? undefined : toInstant(validFrom, app.timeZone);
      return { price: await setLinePrice(app, caller, params.id, { ...terms, validFrom: from }) };
    }),
    handler(removeLinePriceRoute, async ({ params, caller }) => ({ price: await removeLinePrice(app, caller, params) })),
    handler(deleteLineRoute, async ({ params, caller }) => ({ line: await deleteLine(app, caller, params.id) })),
  ];
}
