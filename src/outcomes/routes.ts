import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { idParam, route } from '#platform/http/route.ts';
import { bigRowId, bulkCounts } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { retryContacts } from './retry-contacts.ts';
import { RETRYABLE_STATUSES } from './decisions/contact-outcome.ts';
import type { App } from '#app/app.ts';

/** Most contacts in one retry; the bound of bulk changes of contacts (D6.2). */
export const MAX_RETRIED_CONTACTS = 10_000;

const retryBody = z
  .object({
    status: z.enum(RETRYABLE_STATUSES).optional(),
    contactIds: z.array(bigRowId).min(1).max(MAX_RETRIED_CONTACTS).optional(),
  })
  .superRefine((body, context) => {
    const given = Number(body.status !== undefined) + Number(body.contactIds !== undefined);
    if (given !== 1) context.addIssue({ code: 'custom', path: ['status'], message: issue('exactlyOne', { other: 'contactIds' }) });
  });

/** Source: OCS 4.8, D5.5 */
export const retryContactsRoute = route('POST /api/campaigns/:id/retry', 'campaign:dispatch', '重试联系人：status 与 contactIds 给出一个', {
  params: idParam,
  body: retryBody,
  data: bulkCounts,
});

/** OCS 4.8: returning contacts to the queue. */
export function retryHandlers(app: App): RouteHandler[] {
  return [handler(retryContactsRoute, ({ params, body, caller }) => retryContacts(app, caller, params.id, selectionOf(body)))];
}

/** The contract admits exactly one of the two. */
export function selectionOf({ status, contactIds = [] }: z.output<typeof retryBody>) {
  return status === undefined ? { contactIds } : { status };
}
