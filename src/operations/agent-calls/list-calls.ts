import type { Page, PageRequest } from '#ports/records.ts';
import type { SoftphoneCall, SoftphoneFilter, SoftphoneStore } from '#ports/softphone-store.ts';

/** Newest first. Source: OCS 4.13 */
export function listSoftphoneCalls(
  deps: { softphoneCalls: Pick<SoftphoneStore, 'list'> },
  query: SoftphoneFilter & PageRequest,
): Promise<Page<SoftphoneCall>> {
  return deps.softphoneCalls.list(query);
}
