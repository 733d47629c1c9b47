import { listBatchesRoute } from './batches.ts';
import { retryContactsRoute } from '#outcomes/routes.ts';
import { type RetryContactsDeps, retryContacts } from '#outcomes/retry-contacts.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';
import { cancelBatchRoute, dispatchRoute, effectiveDispatchLimit } from './dispatch.ts';
import { cancelBatch, type CancelBatchDeps } from './cancel-batch.ts';
import { dispatchManually, type ManualDispatchDeps } from './dispatch-manually.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { listBatches } from '#campaigns/list-campaigns.ts';

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
