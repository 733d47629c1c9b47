import { z } from 'zod';
import { toInstantOrNull } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idParam, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { addDoNotCall, doNotCallList, removeDoNotCall } from './do-not-call-store.ts';
import { doNotCallEntry, newDoNotCallEntry } from './do-not-call.ts';
import type { App } from '#app/app.ts';

export const listDoNotCallRoute = route('GET /api/dnc', 'session', '勿扰名单', { query: pageSearchQuery, data: pageOf(doNotCallEntry) });

export const addDoNotCallRoute = route('POST /api/dnc', 'compliance:write', '加入勿扰名单；已在名单中的号码更新其条目', {
  body: newDoNotCallEntry,
  data: z.object({ entry: doNotCallEntry }),
});

export const removeDoNotCallRoute = route('DELETE /api/dnc/:id', 'compliance:write', '移出勿扰名单', {
  params: idParam,
  data: z.object({ entry: doNotCallEntry }),
});

/** OCS 4.10. */
export function doNotCallHandlers(app: App): RouteHandler[] {
  return [
    handler(listDoNotCallRoute, ({ query }) => readPage(app, doNotCallList, query)),
    handler(addDoNotCallRoute, async ({ body, caller }) => ({
      entry: await addDoNotCall(app, caller, { ...body, expiresAt: toInstantOrNull(body.expiresAt, app.timeZone) }),
    })),
    handler(removeDoNotCallRoute, async ({ params, caller }) => ({ entry: await removeDoNotCall(app, caller, params.id) })),
  ];
}
