import { z } from 'zod';
import { idParam, route } from '#platform/http/route.ts';
import { fileImport, fileImportResult, importFields, importId, importParams } from './file-import.ts';

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
