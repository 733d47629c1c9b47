import { z } from 'zod';
import { instantText, toInstant } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { bigIdParam, idText4, idText8, pageOf, pageQuery, route } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { CALLBACK_STATUSES, callback, newCallback, promiseOf } from './callback.ts';
import { callbackList } from './callback-store.ts';
import { cancelCallback, promiseCallback } from './promise-callbacks.ts';
import type { App } from '#app/app.ts';

const oneCallback = z.object({ callback });

export const listCallbacksRoute = route('GET /api/callbacks', 'session', '约定的回访', {
  query: pageQuery.extend({
    campaignId: idText4.optional(),
    contactId: idText8.optional(),
    agentId: idText4.optional(),
    status: z.enum(CALLBACK_STATUSES).optional(),
    from: instantText.optional(),
    to: instantText.optional(),
  }),
  data: pageOf(callback),
});

export const promiseCallbackRoute = route(
  'POST /api/campaigns/:id/contacts/:contactId/callback',
  'contact:write',
  '约定回访；已有的约定被替换',
  {
    params: z.object({ id: idText4, contactId: idText8 }),
    body: newCallback,
    data: oneCallback,
  },
);

export const cancelCallbackRoute = route('DELETE /api/callbacks/:id', 'contact:write', '取消约定的回访', {
  params: bigIdParam,
  data: oneCallback,
});

/** Source: D7.12 */
export function callbackHandlers(app: App): RestHandler[] {
  const at = (text: string | undefined) => (text === undefined ? undefined : toInstant(text, app.timeZone));
  return [
    handler(listCallbacksRoute, ({ query: { from, to, ...query } }) =>
      readPage(app, callbackList, { ...query, from: at(from), to: at(to) }),
    ),
    handler(promiseCallbackRoute, async ({ params: { id: campaignId, contactId }, body, caller }) => ({
      callback: await promiseCallback(
        app,
        caller,
        { campaignId, contactId },
        {
          ...promiseOf(body, app.timeZone),
          agentId: body.agentId ?? null,
        },
      ),
    })),
    handler(cancelCallbackRoute, async ({ params, caller }) => ({ callback: await cancelCallback(app, caller, params.id) })),
  ];
}
