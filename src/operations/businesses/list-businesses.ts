import type { BusinessStore } from '#ports/business-store.ts';
import type { Business } from '#ports/records.ts';

/** Enabled businesses. Source: OCS 4.3 */
export function listBusinesses(deps: { businesses: Pick<BusinessStore, 'listEnabled'> }): Promise<Business[]> {
  return deps.businesses.listEnabled();
}
