import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { route } from '#platform/http/route.ts';
import { listBusinesses } from './business-store.ts';
import { business } from './business.ts';
import type { App } from '#app/app.ts';

export const listBusinessesRoute = route('GET /api/businesses', 'session', '启用的业务', { data: z.object({ rows: z.array(business) }) });

/** Source: OCS 4.3 */
export function businessHandlers(app: App): RestHandler[] {
  return [handler(listBusinessesRoute, async () => ({ rows: await listBusinesses(app) }))];
}
