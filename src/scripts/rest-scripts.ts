import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { deleteScriptRoute, listScriptsRoute, saveScriptRoute, type scriptRow, scriptRuntimeRoute } from './scripts.ts';
import { deleteScript, getRuntimeScript, saveScript, type ScriptDeps, scriptList } from './management-scripts.ts';
import { readPage } from '#platform/postgres/listing.ts';
import type { ScriptVersion } from './script.ts';
import { ANSWERED, handler, rawHandler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.3: scripts. */
export function scriptHandlers(deps: ScriptDeps): RouteHandler[] {
  return [
    handler(listScriptsRoute, async ({ query }) => {
      const page = await readPage(deps, scriptList, { ...query, businessCode: query.businessCode ?? null });
      return { ...page, rows: page.rows.map(presentScript) };
    }),
    handler(saveScriptRoute, async ({ body, caller }) => ({
      script: presentScript(await saveScript(deps, caller, { ...body, id: body.id ?? null })),
    })),
    handler(deleteScriptRoute, async ({ params, caller }) => {
      await deleteScript(deps, caller, params.id);
      return { id: params.id };
    }),
    rawHandler(scriptRuntimeRoute, async ({ params, query, request, response }) => {
      const { hash, runtime } = await getRuntimeScript(deps, params.id, query.version ?? null);
      const etag = `"${hash}"`;
      response.setHeader('ETag', etag);
      response.setHeader('Cache-Control', 'no-cache');
      if (!isUnchanged(request, etag)) return scriptRuntimeRoute.data.parse(runtime);
      response.writeHead(304).end();
      return ANSWERED;
    }),
  ];
}

/** Weak comparison, as If-None-Match requires (RFC 9110 §13.1.2). */
function isUnchanged(request: IncomingMessage, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  if (sent === undefined) return false;
  const tags = sent.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function presentScript({ hash, body, ...script }: ScriptVersion): z.output<typeof scriptRow> {
  return { ...(body as z.output<typeof scriptRow>), ...script, version: script.currentVersion, hash };
}
