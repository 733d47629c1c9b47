import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { deleteScriptRoute, listScriptsRoute, saveScriptRoute, type scriptRow, scriptRuntimeRoute } from '#contract/rest/scripts.ts';
import { type DeleteScriptDeps, deleteScript } from '#operations/scripts/delete-script.ts';
import { getRuntimeScript } from '#operations/scripts/get-runtime-script.ts';
import { scriptList } from '#operations/scripts/list-scripts.ts';
import { type SaveScriptDeps, saveScript } from '#operations/scripts/save-script.ts';
import { type ListDeps, readPage } from '#operations/listing.ts';
import type { ScriptStore, ScriptVersion } from '#ports/script-store.ts';
import { ANSWERED, handler, rawHandler, type RouteHandler } from './handler.ts';

export type ScriptDeps = SaveScriptDeps & DeleteScriptDeps & ListDeps & { scripts: Pick<ScriptStore, 'findRuntime'> };

/** OCS 4.3: scripts. */
export function scriptHandlers(deps: ScriptDeps): RouteHandler[] {
  return [
    handler(listScriptsRoute, async ({ query }) => {
      const page = await readPage(deps, scriptList, { ...query, businessCode: query.businessCode ?? null });
      return { ...page, rows: page.rows.map(presentScript) };
    }),
    handler(saveScriptRoute, async ({ body, caller }) => {
      const { script, ...version } = await saveScript(deps, caller, { ...body, id: body.id ?? null });
      return { script: presentScript({ ...script, ...version }) };
    }),
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

/** Weak comparison, as If-None-Match asks for (RFC 9110 §13.1.2). */
function isUnchanged(request: IncomingMessage, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  if (sent === undefined) return false;
  const tags = sent.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function presentScript({ hash, body, ...script }: ScriptVersion): z.output<typeof scriptRow> {
  return {
    ...(body as z.output<typeof scriptRow>),
    id: script.id,
    name: script.name,
    businessCode: script.businessCode,
    description: script.description,
    isEnabled: script.isEnabled,
    version: script.currentVersion,
    hash,
    createdAt: script.createdAt,
    updatedAt: script.updatedAt,
  };
}
