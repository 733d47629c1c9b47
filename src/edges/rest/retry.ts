import { retryContactsRoute } from '#contract/rest/retry.ts';
import { type RetryContactsDeps, retryContacts } from '#dialling/retry-contacts.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 4.8: contacts back into the queue. */
export function retryHandlers(deps: RetryContactsDeps): RouteHandler[] {
  return [
    handler(retryContactsRoute, ({ params, body, caller }) => {
      // The contract lets exactly one of both through.
      const selection = body.status === undefined ? { contactIds: body.contactIds ?? [] } : { status: body.status };
      return retryContacts(deps, caller, params.id, selection);
    }),
  ];
}
