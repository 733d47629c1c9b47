import { z } from 'zod';
import { instantText, toInstantOrNull } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idText4, pageOf, pageSearchQuery, route, textFilter } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { auditList } from './audit-store.ts';
import { AUDITED_ACTIONS, auditRow } from './audit.ts';
import type { App } from '#app/app.ts';

/** Filters of the list besides `q`; a row must match all of them. */
export const auditFilter = {
  actorId: idText4.optional().meta({ description: '操作人的用户编号' }),
  actorName: textFilter(100).meta({ description: '操作人的名字，完全一致；程序为 internal 或 system' }),
  action: z.enum(AUDITED_ACTIONS).optional().meta({ description: '动作' }),
  targetType: textFilter(100).meta({ description: '对象的种类，例如 line' }),
  targetId: textFilter(100).meta({ description: '对象的编号' }),
};

/** Source: OCS 4.1 for `page`, `pageSize`, `q` */
export const listAuditLogsRoute = route('GET /api/audit-logs', 'audit:read', '审计日志', {
  query: pageSearchQuery.extend({
    ...auditFilter,
    from: instantText.optional().meta({ description: '不早于' }),
    to: instantText.optional().meta({ description: '早于' }),
  }),
  data: pageOf(auditRow),
});

/** OCS 4.1: the audit log. */
export function auditLogHandlers(app: App): RouteHandler[] {
  const instantOf = (text: string | undefined) => toInstantOrNull(text, app.timeZone) ?? undefined;
  return [
    handler(listAuditLogsRoute, async ({ query }) => {
      return await readPage(app, auditList, { ...query, from: instantOf(query.from), to: instantOf(query.to) });
    }),
  ];
}
