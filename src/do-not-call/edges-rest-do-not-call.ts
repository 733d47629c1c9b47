import { addDoNotCallRoute, listDoNotCallRoute, removeDoNotCallRoute } from './rest-do-not-call.ts';
import { addDoNotCall, type DoNotCallDeps, doNotCallList, removeDoNotCall } from './do-not-call-store.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.10. */
export function doNotCallHandlers(deps: DoNotCallDeps & { timeZone: string }): RouteHandler[] {
  return [
    handler(listDoNotCallRoute, ({ query }) => readPage(deps, doNotCallList, query)),
    handler(addDoNotCallRoute, async ({ body, caller }) => ({
      entry: await addDoNotCall(deps, caller, { ...body, expiresAt: toInstantOrNull(body.expiresAt, deps.timeZone) }),
    })),
    handler(removeDoNotCallRoute, async ({ params, caller }) => ({ entry: await removeDoNotCall(deps, caller, params.id) })),
  ];
}
