import { z } from 'zod';
import { MAX_FILE_BYTES } from '#platform/files/read-table.ts';
import { readUpload } from '#platform/http/bodies.ts';
import { handler, rawHandler, type RouteHandler } from '#platform/http/handler.ts';
import { parseTexts, requireStorable } from '#platform/http/parse.ts';
import { idParam, route } from '#platform/http/route.ts';
import { fileImport, fileImportResult, importFields, importId, importParams } from './file-import.ts';
import { runImport } from './import-file.ts';
import { getImport } from './progress.ts';
import type { App } from '#app/app.ts';

/** Source: OCS 4.7 */
export const importFileRoute = route(
  'POST /api/campaigns/:id/import-files',
  'import:write',
  '上传 CSV、TSV 或 XLSX 文件导入联系人（multipart/form-data）',
  {
    params: idParam,
    query: z.object({ importId: importId.optional().meta({ description: '自选的导入编号，上传开始后即可按它查询进度与结果' }) }),
    body: importFields.extend({
      file: z.string().meta({ format: 'binary', description: 'CSV, TSV or XLSX, at most 5 MiB and 10,000 rows' }),
    }),
    data: fileImportResult,
  },
);

export const getImportRoute = route(
  'GET /api/campaigns/:id/import-files/:importId',
  'import:write',
  '一次文件导入的进度与结果，最后一次变化后保留一小时',
  {
    params: importParams,
    data: z.object({ import: fileImport }),
  },
);

/** Source: OCS 4.7, D6.3 */
export function importHandlers(app: App): RouteHandler[] {
  return [
    rawHandler(importFileRoute, ({ params, query, caller, request }) =>
      runImport(app, caller, { campaignId: params.id, importId: query.importId }, async () => {
        const { fileName, bytes, fields } = await app.importQueue.receive(caller, () => readUpload(request, MAX_FILE_BYTES));
        requireStorable(fields);
        const { includeHidden: includesHidden, ...options } = parseTexts(importFields, fields, '表单');
        return { fileName, bytes, includesHidden, ...options };
      }),
    ),
    handler(getImportRoute, async ({ params }) => ({ import: await getImport(app, params.id, params.importId) })),
  ];
}
