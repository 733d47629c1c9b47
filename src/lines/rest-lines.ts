import { createLineRoute, deleteLineRoute, listLinesRoute, updateLineRoute } from './lines.ts';
import { createLine, deleteLine, type LineDeps, listLines, updateLine } from './line-store.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 4.4 */
export function lineHandlers(deps: LineDeps): RestHandler[] {
  return [
    handler(listLinesRoute, () => listLines(deps)),
    handler(createLineRoute, async ({ body, caller }) => ({ line: await createLine(deps, caller, body) })),
    handler(updateLineRoute, async ({ params, body, caller }) => ({ line: await updateLine(deps, caller, params.id, body) })),
    handler(deleteLineRoute, async ({ params, caller }) => ({ line: await deleteLine(deps, caller, params.id) })),
  ];
}
