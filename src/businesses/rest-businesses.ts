import { listBusinessesRoute } from './businesses.ts';
import { listBusinesses } from './business-store.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

/** Source: OCS 4.3 */
export function businessHandlers(deps: Parameters<typeof listBusinesses>[0]): RestHandler[] {
  return [handler(listBusinessesRoute, async () => ({ rows: await listBusinesses(deps) }))];
}
