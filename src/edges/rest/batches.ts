import { listBatchesRoute } from '#contract/rest/batches.ts';
import { listBatches } from '#operations/attempts/list-batches.ts';
import type { ListDeps } from '#operations/listing.ts';
import { handler, type RouteHandler } from './handler.ts';
import { presentBatch } from './present/attempts.ts';

/** OCS 4.8: dispatch batch history. */
export function batchHandlers(deps: ListDeps): RouteHandler[] {
  return [
    handler(listBatchesRoute, async ({ params, query }) => {
      const page = await listBatches(deps, params.id, query);
      return { ...page, rows: page.rows.map(presentBatch) };
    }),
  ];
}
