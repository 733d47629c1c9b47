import { listAuditLogsRoute } from './audit-logs.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import { auditList } from './list-audit-logs.ts';
import { type ListDeps, readPage } from '#platform/postgres/listing.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.1: the audit log. */
export function auditLogHandlers(deps: ListDeps & { timeZone: string }): RouteHandler[] {
  const instantOf = (text: string | undefined) => toInstantOrNull(text, deps.timeZone) ?? undefined;
  return [
    handler(listAuditLogsRoute, async ({ query }) => {
      return await readPage(deps, auditList, { ...query, from: instantOf(query.from), to: instantOf(query.to) });
    }),
  ];
}
