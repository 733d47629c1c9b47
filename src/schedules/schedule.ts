import { z } from 'zod';
import { bigRowId, flag, instant, rowId, stamps } from '#kernel/fields.ts';

/** Ranges of a report, counted back from the run, in the time zone of the schedule. */
export const SPANS = [
  'today',
  'yesterday',
  'last_24_hours',
  'last_7_days',
  'last_30_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
] as const;
export type Span = (typeof SPANS)[number];

/** `waiting` and `exporting` are open; a run that was sent or failed never changes again. */
export const RUN_STATES = ['waiting', 'exporting', 'sent', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Why a run failed. */
export const RUN_FAILURES = [
  'owner_gone',
  'owner_disabled',
  'owner_lacks_permission',
  'report_gone',
  'channel_gone',
  'channel_disabled',
  'refused',
  'export_failed',
  'error',
] as const;
export type RunFailure = (typeof RUN_FAILURES)[number];

export const SCHEDULE_LANGUAGES = ['zh', 'en'] as const;

/** Most schedules of one user. */
export const MAX_SCHEDULES = 100;

/** How a run fared, as a schedule shows its last one and the list of runs shows each. */
export const runOutcome = {
  state: z.enum(RUN_STATES).meta({ description: 'waiting 待运行或运行中，exporting 导出中，sent 已交给渠道，failed 失败' }),
  failure: z.enum(RUN_FAILURES).nullable().meta({ description: '失败的原因' }),
  failureMessage: z.string().nullable().meta({ description: '失败的说明，中文' }),
};

const DELIVERY = 'waiting 待送达，delivered 已送达，given_up 已放弃，dropped 未投递；未交给渠道为 null';

/** One run of a schedule. Source: D14.8 */
export const scheduleRun = z
  .object({
    id: bigRowId,
    scheduleId: rowId,
    dueAt: instant.meta({ description: '应运行的时间；手动运行为点击的时间' }),
    isManual: flag,
    missed: z.int().meta({ description: '此前没有服务器运行而错过的次数，合并为这一次；最多数到 500' }),
    ...runOutcome,
    rowCount: z.int().nullable().meta({ description: '报表或文件的行数' }),
    jobId: bigRowId.nullable().meta({ description: '导出任务' }),
    deliveryState: z.enum(['waiting', 'delivered', 'given_up', 'dropped']).nullable().meta({ description: DELIVERY }),
    deliveryError: z.string().nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    ...stamps,
  })
  .meta({ id: 'ReportScheduleRun' });

export type ScheduleRun = z.output<typeof scheduleRun>;

/** An endpoint as people choose it: without its address. */
export const reportChannel = z
  .object({
    id: rowId,
    name: z.string(),
    kind: z.enum(['webhook', 'feishu', 'dingtalk', 'wecom', 'email']),
    status: z.enum(['enabled', 'paused', 'disabled']),
  })
  .meta({ id: 'ReportChannel' });

export type ReportChannel = z.output<typeof reportChannel>;
