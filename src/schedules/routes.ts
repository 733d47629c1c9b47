import { z } from 'zod';
import type { App } from '#app/app.ts';
import { instant } from '#kernel/fields.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, pageOf, pageQuery, route } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { createReportSchedule, deleteReportSchedule, runReportSchedule, updateReportSchedule } from './change-schedules.ts';
import { listScheduleTimes } from './list-times.ts';
import { cronText, newReportSchedule, reportSchedule, reportScheduleChanges, zoneName } from './report-schedule.ts';
import { reportChannel, scheduleRun } from './schedule.ts';
import { getReportSchedule, listReportChannels, listReportSchedules, scheduleRunList } from './schedule-store.ts';

const one = z.object({ schedule: reportSchedule });

/** Permission to send to a channel; sharing a report requires the same. */
const TO_SEND = 'campaign:dispatch';

export const listReportSchedulesRoute = route('GET /api/report-schedules', TO_SEND, '报表计划：自己的，管理员可见所有人的', {
  data: z.object({ rows: z.array(reportSchedule) }),
});

export const createReportScheduleRoute = route('POST /api/report-schedules', TO_SEND, '新建报表计划：按时间把报表或导出发到渠道', {
  body: newReportSchedule,
  data: one,
});

export const updateReportScheduleRoute = route('PATCH /api/report-schedules/:id', TO_SEND, '修改、停用或启用报表计划', {
  params: idParam,
  body: reportScheduleChanges,
  data: one,
});

export const deleteReportScheduleRoute = route('DELETE /api/report-schedules/:id', TO_SEND, '删除报表计划及其运行记录', {
  params: idParam,
  data: one,
});

export const runReportScheduleRoute = route('POST /api/report-schedules/:id/run', TO_SEND, '立即运行一次', {
  params: idParam,
  data: z.object({ run: scheduleRun }),
});

export const listScheduleRunsRoute = route('GET /api/report-schedules/:id/runs', TO_SEND, '报表计划的运行记录，新的在前，保留 500 次', {
  params: idParam,
  query: pageQuery,
  data: pageOf(scheduleRun),
});

export const listReportChannelsRoute = route('GET /api/report-channels', TO_SEND, '可以接收报表的推送端点：名称与种类', {
  data: z.object({ rows: z.array(reportChannel) }),
});

export const listScheduleTimesRoute = route('GET /api/report-schedule-times', TO_SEND, 'cron 表达式接下来的五次时间', {
  query: z.object({ cron: cronText, timeZone: zoneName.optional().meta({ description: '缺省为业务时区' }) }),
  data: z.object({ times: z.array(instant) }),
});

/** Source: D14.8 */
export function scheduleHandlers(app: App): RestHandler[] {
  return [
    handler(listReportSchedulesRoute, async ({ caller }) => ({ rows: await listReportSchedules(app, caller) })),
    handler(createReportScheduleRoute, async ({ body, caller }) => ({ schedule: await createReportSchedule(app, caller, body) })),
    handler(updateReportScheduleRoute, async ({ params, body, caller }) => ({
      schedule: await updateReportSchedule(app, caller, params.id, body),
    })),
    handler(deleteReportScheduleRoute, async ({ params, caller }) => ({ schedule: await deleteReportSchedule(app, caller, params.id) })),
    handler(runReportScheduleRoute, async ({ params, caller }) => ({ run: await runReportSchedule(app, caller, params.id) })),
    handler(listScheduleRunsRoute, async ({ params, query, caller }) => {
      const { id: scheduleId } = await getReportSchedule(app.db, caller, params.id);
      return readPage(app, scheduleRunList, { ...query, scheduleId });
    }),
    handler(listReportChannelsRoute, async () => ({ rows: await listReportChannels(app) })),
    handler(listScheduleTimesRoute, async ({ query }) => ({ times: listScheduleTimes(app, query) })),
  ];
}
