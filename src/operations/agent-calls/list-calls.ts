import type { Caller } from '../access/caller.ts';
import type { Page, PageRequest } from '#ports/records.ts';
import type { SoftphoneCall, SoftphoneFilter, SoftphoneStore } from '#ports/softphone-store.ts';

/** The user whose calls alone the caller may see: an ordinary agent its own, null for whoever may dispatch. As the detail. */
export function ownCallsOf({ permissions, userId }: Caller): number | null {
  if (permissions.has('campaign:dispatch')) return null;
  return userId ?? NOBODY;
}

/** No user has it. */
const NOBODY = 0;

/** Newest first; an ordinary agent's own alone. Source: OCS 4.13, 4.14 */
export function listSoftphoneCalls(
  deps: { softphoneCalls: Pick<SoftphoneStore, 'list'> },
  caller: Caller,
  query: SoftphoneFilter & PageRequest,
): Promise<Page<SoftphoneCall>> {
  const userId = ownCallsOf(caller);
  return deps.softphoneCalls.list({ ...query, ...(userId === null ? {} : { userId }) });
}
