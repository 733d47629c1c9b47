import { addDoNotCallRoute, listDoNotCallRoute, removeDoNotCallRoute } from '#contract/rest/do-not-call.ts';
import { toInstantOrNull } from '#contract/rest/instant.ts';
import { type AddDoNotCallDeps, addDoNotCall } from '#operations/compliance/add-do-not-call.ts';
import { doNotCallList } from '#operations/compliance/list-do-not-call.ts';
import { type RemoveDoNotCallDeps, removeDoNotCall } from '#operations/compliance/remove-do-not-call.ts';
import { type ListDeps, readPage } from '#operations/listing.ts';
import type { DoNotCallEntry } from '#ports/records.ts';
import { handler, type RouteHandler } from './handler.ts';
import { presentInstant } from './present/instant.ts';

export type DoNotCallDeps = AddDoNotCallDeps &
  RemoveDoNotCallDeps &
  ListDeps & {
    /** Business time zone. */
    timeZone: string;
  };

/** OCS 4.10. */
export function doNotCallHandlers(deps: DoNotCallDeps): RouteHandler[] {
  return [
    handler(listDoNotCallRoute, async ({ query }) => {
      const page = await readPage(deps, doNotCallList, query);
      return { ...page, rows: page.rows.map(presentEntry) };
    }),
    handler(addDoNotCallRoute, async ({ body, caller }) => ({
      entry: presentEntry(await addDoNotCall(deps, caller, { ...body, expiresAt: toInstantOrNull(body.expiresAt, deps.timeZone) })),
    })),
    handler(removeDoNotCallRoute, async ({ params, caller }) => ({ entry: presentEntry(await removeDoNotCall(deps, caller, params.id)) })),
  ];
}

/** Source: D8.7 */
function presentEntry(entry: DoNotCallEntry) {
  return {
    ...entry,
    expiresAt: presentInstant(entry.expiresAt),
    createdAt: presentInstant(entry.createdAt),
    updatedAt: presentInstant(entry.updatedAt),
  };
}
