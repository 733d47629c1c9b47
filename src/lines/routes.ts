import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, route } from '#platform/http/route.ts';
import { listNumberUse, numberUse, resumeNumber, restInput, restNumber } from '#outcomes/line-numbers.ts';
import { createLine, deleteLine, listLines, updateLine } from './line-store.ts';
import { line, lineChanges, newLine } from './line.ts';
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

/** Source: OCS 4.4 */
export function lineHandlers(app: App): RestHandler[] {
  return [
    handler(listLinesRoute, () => listLines(app)),
    handler(createLineRoute, async ({ body, caller }) => ({ line: await createLine(app, caller, body) })),
    handler(updateLineRoute, async ({ params, body, caller }) => ({ line: await updateLine(app, caller, params.id, body) })),
    handler(listNumberUseRoute, async ({ params }) => ({ rows: await listNumberUse(app, params.id) })),
    handler(restNumberRoute, async ({ params, body, caller }) => ({ number: await restNumber(app, caller, params, body) })),
    handler(resumeNumberRoute, async ({ params, caller }) => ({ number: await resumeNumber(app, caller, params) })),
    handler(deleteLineRoute, async ({ params, caller }) => ({ line: await deleteLine(app, caller, params.id) })),
  ];
}
