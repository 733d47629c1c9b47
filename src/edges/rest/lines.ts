import { createLineRoute, deleteLineRoute, listLinesRoute, updateLineRoute } from '#contract/rest/lines.ts';
import { createLine } from '#operations/lines/create-line.ts';
import { deleteLine } from '#operations/lines/delete-line.ts';
import { listLines } from '#operations/lines/list-lines.ts';
import { updateLine, type UpdateLineDeps } from '#operations/lines/update-line.ts';
import type { LineStore } from '#ports/line-store.ts';
import { handler, type RestHandler } from './handler.ts';
import { presentLine } from './present/lines.ts';

export interface LineHandlerDeps extends UpdateLineDeps {
  lines: LineStore;
}

/** Source: OCS 4.4 */
export function lineHandlers(deps: LineHandlerDeps): RestHandler[] {
  return [
    handler(listLinesRoute, async () => {
      const { rows, total } = await listLines(deps);
      return { rows: rows.map(presentLine), total };
    }),
    handler(createLineRoute, async ({ body, caller }) => ({ line: presentLine(await createLine(deps, caller, body)) })),
    handler(updateLineRoute, async ({ params, body, caller }) => ({ line: presentLine(await updateLine(deps, caller, params.id, body)) })),
    handler(deleteLineRoute, async ({ params, caller }) => ({ line: presentLine(await deleteLine(deps, caller, params.id)) })),
  ];
}
