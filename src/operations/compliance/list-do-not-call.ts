import type { DoNotCallStore } from '#ports/do-not-call-store.ts';
import type { DoNotCallEntry, Page, PageRequest } from '#ports/records.ts';

/** Expired entries are listed, though they do not block. Source: OCS 4.10, D8.7 */
export function listDoNotCall(
  deps: { doNotCall: Pick<DoNotCallStore, 'list'> },
  query: PageRequest & { q: string },
): Promise<Page<DoNotCallEntry>> {
  return deps.doNotCall.list(query);
}
