import { listBatchesRoute } from '#contract/rest/batches.ts';
import { retryContactsRoute } from '#contract/rest/retry.ts';
import { listBatches } from '#operations/attempts/list-batches.ts';
import { type RetryContactsDeps, retryContacts } from '#dialling/retry-contacts.ts';
import type { ListDeps } from '#operations/listing.ts';
import { cancelBatchRoute, dispatchRoute, effectiveDispatchLimit } from '#contract/rest/dispatch.ts';
import { cancelBatch, type CancelBatchDeps } from '#dialling/cancel-batch.ts';
import { dispatchManually, type ManualDispatchDeps } from '#dialling/dispatch-manually.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 4.8: manual dispatch, cancelling its batch, listing batches, and returning contacts to the queue. */
export function dispatchHandlers(deps: ManualDispatchDeps & CancelBatchDeps & RetryContactsDeps & ListDeps): RouteHandler[] {
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
    handler(retryContactsRoute, ({ params, body, caller }) => {
      // The contract admits exactly one of the two.
      const selection = body.status === undefined ? { contactIds: body.contactIds ?? [] } : { status: body.status };
      return retryContacts(deps, caller, params.id, selection);
    }),
  ];
}
