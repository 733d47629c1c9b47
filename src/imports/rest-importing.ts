import { getImportRoute, importFileRoute } from './importing.ts';
import { parseTexts, requireStorable } from '#platform/http/parse.ts';
import { type RunImportDeps, runImport } from './import-queue.ts';
import { MAX_FILE_BYTES } from '#platform/files/read-table.ts';
import { getImport } from './track-import.ts';
import { handler, rawHandler, type RouteHandler } from '#platform/http/handler.ts';
import { readUpload } from '#platform/http/bodies.ts';
import { importFields } from './file-import.ts';

/** Source: OCS 4.7, D6.3 */
export function importHandlers(deps: RunImportDeps): RouteHandler[] {
  return [
    rawHandler(importFileRoute, ({ params, query, caller, request }) =>
      runImport(deps, caller, { campaignId: params.id, importId: query.importId }, async () => {
        const { fileName, bytes, fields } = await deps.importQueue.receive(caller, () => readUpload(request, MAX_FILE_BYTES));
        requireStorable(fields);
        const { includeHidden: includesHidden, ...options } = parseTexts(importFields, fields, '表单');
        return { fileName, bytes, includesHidden, ...options };
      }),
    ),
    handler(getImportRoute, async ({ params }) => ({ import: await getImport(deps, params.id, params.importId) })),
  ];
}
