import { z } from 'zod';
import { AUDITED_ACTIONS } from './audited-actions.ts';
import { idText4, pageOf, pageSearchQuery, route, textFilter } from '#platform/http/route.ts';
import { auditRow } from './audit-row.ts';
import { instantText } from '#kernel/fields.ts';

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
