import { z } from 'zod';
import type { App } from '#app/app.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, route } from '#platform/http/route.ts';
import { createSavedReport, deleteSavedReport, updateSavedReport } from './change-saved-reports.ts';
import { newSavedReport, savedReport, savedReportChanges } from './saved-report.ts';
import { listSavedReports } from './saved-report-store.ts';

const one = z.object({ report: savedReport });

export const listSavedReportsRoute = route('GET /api/reports/saved', 'session', '已保存的报表：共享的与自己的', {
  data: z.object({ rows: z.array(savedReport) }),
});

export const createSavedReportRoute = route('POST /api/reports/saved', 'session', '保存报表；共享需要权限 campaign:dispatch', {
  body: newSavedReport,
  data: one,
});

export const updateSavedReportRoute = route('PATCH /api/reports/saved/:id', 'session', '修改自己的报表', {
  params: idParam,
  body: savedReportChanges,
  data: one,
});

export const deleteSavedReportRoute = route('DELETE /api/reports/saved/:id', 'session', '删除自己的报表', { params: idParam, data: one });

/** Source: D14.7 */
export function savedReportHandlers(app: App): RestHandler[] {
  return [
    handler(listSavedReportsRoute, async ({ caller }) => ({ rows: await listSavedReports(app, caller) })),
    handler(createSavedReportRoute, async ({ body, caller }) => ({ report: await createSavedReport(app, caller, body) })),
    handler(updateSavedReportRoute, async ({ params, body, caller }) => ({
      report: await updateSavedReport(app, caller, params.id, body),
    })),
    handler(deleteSavedReportRoute, async ({ params, caller }) => ({ report: await deleteSavedReport(app, caller, params.id) })),
  ];
}
