import { listAuditLogsRoute } from '#contract/rest/audit-logs.ts';
import { toInstantOrNull } from '#model/instant-text.ts';
import { auditList } from '#operations/audit-logs/list-audit-logs.ts';
import { type ListDeps, readPage } from '#operations/listing.ts';
import { handler, type RouteHandler } from './handler.ts';

/** OCS 4.1: the audit log. */
export function auditLogHandlers(deps: ListDeps & { timeZone: string }): RouteHandler[] {
  const instantOf = (text: string | undefined) => toInstantOrNull(text, deps.timeZone) ?? undefined;
  return [
    handler(listAuditLogsRoute, async ({ query }) => {
      return await readPage(deps, auditList, { ...query, from: instantOf(query.from), to: instantOf(query.to) });
    }),
  ];
}
