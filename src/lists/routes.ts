import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { MAX_FILE_ROW } from '#imports/file-import.ts';
import { requestedRegion } from '#imports/requested-region.ts';
import { IMPORT_MEMBERS } from '#imports/preview.ts';
import { job } from '#jobs/job.ts';
import { rowId } from '#kernel/fields.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { shownNumber } from '#phone-numbers/shown-number.ts';
import { ANSWERED, handler, rawHandler, type RouteHandler } from '#platform/http/handler.ts';
import {
  bigIdParam,
  idParam,
  idText4,
  integerText,
  MAX_SEARCH_LENGTH,
  pageOf,
  pageQuery,
  pageSearchQuery,
  route,
  textFilter,
} from '#platform/http/route.ts';
import { streamUpload } from '#platform/http/streamed-upload.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { contactList, contactListChanges, LIST_KINDS, listRow, listUse, listVersion, newContactList } from './contact-list.ts';
import { newImport } from './import-input.ts';
import { listFile, previewListFile, receiveFile } from './list-file.ts';
import { contactLists, createList, getList, listRows, listUses, listVersions, updateList } from './list-store.ts';
import { getImport, listImport, listImports } from './list-imports.ts';
import { refusalsFile } from './refusals-file.ts';
import { removeList } from './remove-list.ts';
import { startImport } from './start-import.ts';
import { useList } from './use-list.ts';
import type { App } from '#app/app.ts';

const oneList = z.object({ list: contactList });
const oneJob = z.object({ job });

/** Source: D6.9 */
export const listListsRoute = route('GET /api/lists', 'session', '名单库', {
  query: pageSearchQuery.extend({ kind: z.enum(LIST_KINDS).optional() }),
  data: pageOf(contactList),
});

export const createListRoute = route('POST /api/lists', 'import:write', '新建名单；黑名单另需 compliance:write', {
  body: newContactList,
  data: oneList,
});

export const getListRoute = route('GET /api/lists/:id', 'session', '一个名单，含各版本与取用它的活动', {
  params: idParam,
  data: z.object({ list: contactList, versions: z.array(listVersion), campaigns: z.array(listUse) }),
});

export const updateListRoute = route('PATCH /api/lists/:id', 'import:write', '修改名单的名称与说明', {
  params: idParam,
  body: contactListChanges,
  data: oneList,
});

export const removeListRoute = route('DELETE /api/lists/:id', 'import:write', '删除名单；黑名单中未另行登记的号码随之可呼', {
  params: idParam,
  data: oneList,
});

export const listRowsRoute = route('GET /api/lists/:id/rows', 'import:write', '名单最新版本的内容', {
  params: idParam,
  query: pageQuery.extend({ phoneNumber: textFilter(MAX_SEARCH_LENGTH) }),
  data: pageOf(listRow),
});

export const useListRoute = route('POST /api/lists/:id/campaigns', 'import:write', '把名单的联系人加入活动，作为后台任务；活动可在运行中', {
  params: idParam,
  body: z.object({ campaignId: rowId, version: z.int().min(1).nullish().meta({ description: '缺省为最新版本' }) }),
  data: oneJob,
});

export const uploadListFileRoute = route(
  'POST /api/list-files',
  'import:write',
  '上传待导入的文件（multipart/form-data），边收边存；一天内有效',
  {
    body: z.object({
      file: z.string().meta({
        format: 'binary',
        description: 'CSV or TSV of any length up to the configured limit, or XLSX of at most 5 MiB (save a larger one as CSV)',
      }),
    }),
    data: z.object({ file: listFile }),
  },
);

const sampledColumn = z.object({
  key: z.string(),
  name: z.string(),
  samples: z.array(z.string()),
  looksLikeNumbers: z.boolean(),
  member: z.enum(IMPORT_MEMBERS).meta({ description: '没有映射时该列的用途' }),
});

export const listFilePreview = z
  .object({
    headerRow: z.int().meta({ description: '列名所在行；0：没有' }),
    topRows: z.array(z.object({ row: z.int(), cells: z.array(z.string()) })),
    columns: z.array(sampledColumn),
    totalRows: z.int().meta({ description: '按文件大小估计的行数' }),
    region: z.string(),
  })
  .meta({ id: 'ListFilePreview' });

const REGION_LENGTH = 2;

export const previewListFileRoute = route('GET /api/list-files/:fileId/preview', 'import:write', '按文件开头的 64 KiB 预览各列', {
  params: z.object({ fileId: z.uuid() }),
  query: z.object({
    headerRow: integerText({ min: 0, max: MAX_FILE_ROW }).optional(),
    region: z.string().trim().toUpperCase().length(REGION_LENGTH).optional(),
  }),
  data: z.object({ preview: listFilePreview }),
});

export const startImportRoute = route('POST /api/imports', 'import:write', '把上传的文件或某个地址的文件导入名单或活动，作为后台任务', {
  body: newImport,
  data: oneJob,
});

export const listImportsRoute = route('GET /api/imports', 'import:write', '名单与活动的导入，新的在前', {
  query: pageQuery.extend({ listId: idText4.optional(), campaignId: idText4.optional() }),
  data: pageOf(listImport),
});

export const getImportRoute = route('GET /api/imports/:id', 'import:write', '一次导入的进度与各类行数；编号即任务编号', {
  params: bigIdParam,
  data: z.object({ import: listImport }),
});

export const importRefusalsRoute = route(
  'GET /api/imports/:id/refusals',
  'import:write',
  '未导入的行，含原因，作为 CSV 文件；修正后可再次导入',
  {
    params: bigIdParam,
    data: z.never(),
    media: 'text/csv',
  },
);

/** Source: D6.9 */
export function listHandlers(app: App): RouteHandler[] {
  return [...libraryHandlers(app), ...importHandlers(app)];
}

function libraryHandlers(app: App): RouteHandler[] {
  return [
    handler(listListsRoute, ({ query }) => readPage(app, contactLists, query)),
    handler(createListRoute, async ({ body, caller }) => ({ list: await createList(app, caller, body) })),
    handler(getListRoute, async ({ params: { id } }) => {
      const list = await getList(app, id);
      const [versions, campaigns] = await Promise.all([listVersions(app, id), listUses(app, id)]);
      return { list, versions, campaigns };
    }),
    handler(updateListRoute, async ({ params, body, caller }) => ({ list: await updateList(app, caller, params.id, body) })),
    handler(removeListRoute, async ({ params, caller }) => ({ list: await removeList(app, caller, params.id) })),
    handler(listRowsRoute, async ({ params: { id }, query, caller }) => {
      await getList(app, id);
      const { rows, ...page } = await readPage(app, listRows, { ...keyed(query, app.region), listId: id });
      return { ...page, rows: rows.map(row => ({ ...row, phoneNumber: shownNumber(app, caller, row.phoneNumber) })) };
    }),
    handler(useListRoute, async ({ params, body, caller }) => ({ job: await useList(app, caller, params.id, body) })),
  ];
}

function importHandlers(app: App): RouteHandler[] {
  return [
    rawHandler(uploadListFileRoute, async ({ caller, request }) => ({
      file: await app.importQueue.receive(caller, () => streamUpload(request, app.maxImportBytes, file => receiveFile(app, caller, file))),
    })),
    handler(previewListFileRoute, async ({ params, query: { headerRow, region }, caller }) => ({
      preview: await previewListFile(app, caller, params.fileId, { headerRow, region: requestedRegion(region, app.region) }),
    })),
    handler(startImportRoute, async ({ body, caller }) => ({ job: await startImport(app, caller, body) })),
    handler(listImportsRoute, ({ query }) => readPage(app, listImports, query)),
    handler(getImportRoute, async ({ params }) => ({ import: await getImport(app, params.id) })),
    rawHandler(importRefusalsRoute, async ({ params, request, response, signal }) => {
      const { fileName, lines } = await refusalsFile(app, params.id);
      response.setHeader('Content-Type', 'text/csv; charset=utf-8');
      response.setHeader(
        'Content-Disposition',
        `attachment; filename="refused-${params.id}.csv"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      );
      if (request.method === 'HEAD') response.end();
      else await pipeline(Readable.from(lines), response, { signal });
      return ANSWERED;
    }),
  ];
}
