import { listAuditLogsRoute } from '#contract/rest/audit-logs.ts';
import { listAuditLogs } from '#operations/audit-logs/list-audit-logs.ts';
import type { AuditStore } from '#ports/audit-store.ts';
import { handler, type RouteHandler } from './handler.ts';
import { presentInstant } from './present/instant.ts';

/** OCS 4.1: who did what. */
export function auditLogHandlers(deps: { audit: Pick<AuditStore, 'list'> }): RouteHandler[] {
  return [
    handler(listAuditLogsRoute, async ({ query }) => {
      const page = await listAuditLogs(deps, query);
      return {
        ...page,
        rows: page.rows.map(row => ({ ...row, createdAt: presentInstant(row.createdAt), updatedAt: presentInstant(row.updatedAt) })),
      };
    }),
  ];
}
