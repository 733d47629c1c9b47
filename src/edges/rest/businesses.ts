import { listBusinessesRoute } from '#contract/rest/businesses.ts';
import { listBusinesses } from '#operations/businesses/list-businesses.ts';
import type { BusinessStore } from '#ports/business-store.ts';
import { handler, type RestHandler } from './handler.ts';
import { presentBusiness } from './present/businesses.ts';

/** Source: OCS 4.3 */
export function businessHandlers(deps: { businesses: Pick<BusinessStore, 'listEnabled'> }): RestHandler[] {
  return [handler(listBusinessesRoute, async () => ({ rows: (await listBusinesses(deps)).map(presentBusiness) }))];
}
