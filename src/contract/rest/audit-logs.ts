import { z } from 'zod';
import { bigRowId, pageOf, pageSearchQuery, rowId, stamps } from './fields.ts';
import { route } from './route.ts';

/** Source: D3.7 */
export const auditRow = z
  .object({
    id: bigRowId,
    actorId: rowId.nullable(),
    actorName: z.string(),
    action: z.string(),
    targetType: z.string(),
    targetId: z.string().nullable(),
    summary: z.string(),
    detail: z.json(),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    ...stamps,
  })
  .meta({ id: 'AuditLog' });

/** Source: OCS 4.1 */
export const listAuditLogsRoute = route({
  method: 'GET',
  path: '/api/audit-logs',
  access: 'audit:read',
  summary: '审计日志',
  query: pageSearchQuery,
  data: pageOf(auditRow),
});
