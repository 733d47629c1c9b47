import { listBatchesRoute } from '#contract/rest/batches.ts';
import { listBatches } from '#operations/attempts/list-batches.ts';
import type { ListDeps } from '#operations/listing.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 4.8: dispatch batch history. */
export function batchHandlers(deps: ListDeps): RouteHandler[] {
  return [handler(listBatchesRoute, ({ params, query }) => listBatches(deps, params.id, query))];
}
