import { listBusinessesRoute } from '#contract/rest/businesses.ts';
import { listBusinesses } from '#management/businesses.ts';
import { handler, type RestHandler } from './handler.ts';

/** Source: OCS 4.3 */
export function businessHandlers(deps: Parameters<typeof listBusinesses>[0]): RestHandler[] {
  return [handler(listBusinessesRoute, async () => ({ rows: await listBusinesses(deps) }))];
}
