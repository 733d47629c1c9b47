import { listBatchesRoute } from './batches.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';
import { cancelBatchRoute, dispatchRoute, effectiveDispatchLimit } from './dispatch.ts';
import { cancelBatch, type CancelBatchDeps } from './cancel-batch.ts';
import { dispatchManually, type ManualDispatchDeps } from './dispatch-manually.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { listBatches } from '#campaigns/campaign-store.ts';

/** OCS 4.8: manual dispatch, cancelling its batch, and listing batches. */
export function dispatchHandlers(deps: ManualDispatchDeps & CancelBatchDeps & ListDeps): RouteHandler[] {
  return [
    handler(dispatchRoute, async ({ params, body, caller }) => ({
      result: await dispatchManually(deps, caller, {
        campaignId: params.id,
        requestedLimit: body.limit,
        effectiveLimit: effectiveDispatchLimit(body.limit),
      }),
    })),
    handler(cancelBatchRoute, async ({ params, caller }) => ({
      batch: await cancelBatch(deps, caller, params.id, params.batchId),
    })),
    handler(listBatchesRoute, ({ params, query }) => listBatches(deps, params.id, query)),
  ];
}
