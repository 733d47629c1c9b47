import { cancelBatchRoute, dispatchRoute, effectiveDispatchLimit } from '#contract/rest/dispatch.ts';
import { cancelBatch, type CancelBatchDeps } from '#dialling/cancel-batch.ts';
import { dispatchManually, type ManualDispatchDeps } from '#dialling/dispatch-manually.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 4.8: dispatch by hand, and stopping what it started. */
export function dispatchHandlers(deps: ManualDispatchDeps & CancelBatchDeps): RouteHandler[] {
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
  ];
}
