import { z } from 'zod';
import { flag01, stamps } from './fields.ts';
import { rowId } from '#model/fields.ts';
import { route } from './route.ts';

/** Source: OCS 2.11 */
export const businessRow = z
  .object({ id: rowId, businessCode: z.string(), businessName: z.string(), isEnabled: flag01, remark: z.string(), ...stamps })
  .meta({ id: 'Business' });

export type BusinessRow = z.input<typeof businessRow>;

export const listBusinessesRoute = route({
  method: 'GET',
  path: '/api/businesses',
  access: 'session',
  summary: '启用的业务',
  data: z.object({ rows: z.array(businessRow) }),
});
