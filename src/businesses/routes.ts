import { z } from 'zod';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, route } from '#platform/http/route.ts';
import { listBusinesses } from './business-store.ts';
import { business, businessChanges, newBusiness } from './business.ts';
import { createBusiness, updateBusiness } from './change-businesses.ts';
import type { App } from '#app/app.ts';

export const listBusinessesRoute = route('GET /api/businesses', 'session', '启用的业务', { data: z.object({ rows: z.array(business) }) });

const oneBusiness = z.object({ business });

export const createBusinessRoute = route('POST /api/businesses', 'campaign:write', '新建业务', { body: newBusiness, data: oneBusiness });

export const updateBusinessRoute = route('PATCH /api/businesses/:id', 'campaign:write', '修改、启用或停用业务；配置中的业务除外', {
  params: idParam,
  body: businessChanges,
  data: oneBusiness,
});

/** Source: OCS 4.3, D1.3 */
export function businessHandlers(app: App): RestHandler[] {
  return [
    handler(listBusinessesRoute, async () => ({ rows: await listBusinesses(app) })),
    handler(createBusinessRoute, async ({ body, caller }) => ({ business: await createBusiness(app, caller, body) })),
    handler(updateBusinessRoute, async ({ params, body, caller }) => ({ business: await updateBusiness(app, caller, params.id, body) })),
  ];
}
