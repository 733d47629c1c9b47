import { z } from 'zod';
import { line, lineChanges, newLine } from './line.ts';
import { idParam, route } from '#platform/http/route.ts';

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
