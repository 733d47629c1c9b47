import { z } from 'zod';
import { newRowsExport } from '#exports/export-request.ts';
import { isTimeZone } from '#kernel/calendar.ts';
import { flag, instant, requiredText, rowId, stamps } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';
import { runOutcome, SCHEDULE_LANGUAGES, SPANS } from './schedule.ts';

const MAX_NAME_LENGTH = 64;
export const MAX_CRON_LENGTH = 100;
const MAX_ZONE_LENGTH = 64;

export const cronText = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CRON_LENGTH)
  .meta({ description: '五段 cron 表达式：分 时 日 月 星期；两次之间至少 5 分钟', example: '0 8 * * 1-5' });

export const zoneName = requiredText(MAX_ZONE_LENGTH)
  .refine(isTimeZone, issue('timeZone'))
  .meta({ description: 'IANA 时区，例如 Asia/Shanghai' });

const kept = {
  name: requiredText(MAX_NAME_LENGTH),
  cron: cronText,
  timeZone: zoneName,
  language: z.enum(SCHEDULE_LANGUAGES),
  /** An endpoint of `GET /api/report-channels`. */
  channelId: rowId,
  isEnabled: flag,
};

const what = {
  reportId: rowId.nullable().meta({ description: '已保存的报表；导出为 null' }),
  export: newRowsExport.nullable().meta({ description: '导出的内容，同 POST /api/exports；报表为 null' }),
  span: z.enum(SPANS).nullable().meta({ description: '相对于运行时间的范围；仅导出可为 null：不限' }),
};

/** A saved report or an export that is sent at times of a calendar. Source: D14.8 */
export const reportSchedule = z
  .object({
    id: rowId,
    ...kept,
    ...what,
    reportName: z.string().nullable().meta({ description: '导出，或报表已删除为 null' }),
    channelName: z.string().nullable().meta({ description: '推送端点已删除为 null' }),
    nextRunAt: instant.nullable().meta({ description: '停用时为 null' }),
    lastRunAt: instant.nullable().meta({ description: '最近一次运行应在的时间；从未运行为 null' }),
    lastState: runOutcome.state.nullable(),
    lastFailure: runOutcome.failure,
    createdBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'ReportSchedule' });

export type ReportSchedule = z.output<typeof reportSchedule>;

export const newReportSchedule = z
  .object({
    ...kept,
    timeZone: zoneName.optional().meta({ description: '缺省为业务时区' }),
    language: kept.language.optional().default('zh'),
    isEnabled: flag.optional().default(true),
    reportId: rowId.nullish().meta({ description: '已保存的报表；与 export 必须且只能给出一个' }),
    export: newRowsExport.nullish().meta({ description: '导出的内容，同 POST /api/exports；from 与 to 由 span 决定' }),
    span: z.enum(SPANS).nullish().meta({ description: '报表必须给出' }),
  })
  .meta({ id: 'NewReportSchedule' });

export type NewReportSchedule = z.output<typeof newReportSchedule>;

/** Absent members stay; a report takes the place of an export, and the other way round. */
export const reportScheduleChanges = z
  .object({ ...kept, reportId: rowId, export: newRowsExport, span: what.span })
  .partial()
  .meta({ id: 'ReportScheduleChanges' });

export type ReportScheduleChanges = z.output<typeof reportScheduleChanges>;

/** The members that people set. */
export type ScheduleFields = Pick<ReportSchedule, keyof typeof kept | keyof typeof what>;
