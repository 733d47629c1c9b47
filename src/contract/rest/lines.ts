import { z } from 'zod';
import { line, lineChanges, newLine } from '#model/line.ts';
import { idParam } from './fields.ts';
import { route } from './route.ts';

const oneLine = z.object({ line });

export const listLinesRoute = route({
  method: 'GET',
  path: '/api/lines',
  access: 'session',
  summary: '外呼线路列表',
  data: z.object({ rows: z.array(line), total: z.int().nonnegative() }),
});

export const createLineRoute = route({
  method: 'POST',
  path: '/api/lines',
  access: 'line:write',
  summary: '新建外呼线路',
  body: newLine,
  data: oneLine,
});

export const updateLineRoute = route({
  method: 'PATCH',
  path: '/api/lines/:id',
  access: 'line:write',
  summary: '修改外呼线路',
  params: idParam,
  body: lineChanges,
  data: oneLine,
});

export const deleteLineRoute = route({
  method: 'DELETE',
  path: '/api/lines/:id',
  access: 'line:write',
  summary: '删除没有被引用的外呼线路',
  params: idParam,
  data: oneLine,
});
