import { z } from 'zod';
import { batch } from '#attempts/batch.ts';
import { flag, instant, rowId } from '#kernel/fields.ts';
import { runtimeEvent } from '#runtime-events/runtime-event.ts';
import { count } from './rest-overview.ts';
import { route } from '#platform/http/route.ts';
import { CELL_STATES } from '#platform/freeswitch/switch.ts';
import { RUNTIME_MODES } from '#runtimes/survey-runtimes.ts';

const campaignProgress = z.object({
  campaignId: rowId,
  name: z.string(),
  status: z.string(),
  phase: z.string(),
  phaseReason: z.string().nullable(),
  nextWakeAt: instant.nullable(),
  total: count,
  pending: count,
  submitted: count,
  completed: count,
  failed: count,
  paused: count,
  /** The part of `failed` that will be dialled again. */
  awaitingRetry: count,
  /** Share of contacts that are finished (completed, or failed for good), 0..1; 0 without contacts. */
  progress: z.number(),
});

const lineConcurrency = z.object({
  lineId: rowId,
  name: z.string(),
  code: z.string(),
  isEnabled: flag,
  maxConcurrency: count,
  active: count,
});

/** `maxConcurrency`: 0 means unlimited. */
const cellConcurrency = z.object({
  cellId: z.string(),
  maxConcurrency: count,
  active: count,
  isEnabled: flag,
  state: z.enum(CELL_STATES),
});

const runtime = z.object({
  runtimeId: z.string(),
  name: z.string(),
  version: z.string(),
  contract: z.int().meta({ description: '它所用契约的版本号' }),
  maxCalls: count.meta({ description: '它声明的同时通话上限' }),
  calls: count.meta({ description: '外呼与通话在它那里占用的名额' }),
  active: count.meta({ description: '它自报的当前通话数' }),
  isDraining: z.boolean().meta({ description: '正在退出：不再接新通话' }),
  isGone: z.boolean().meta({ description: '已失联' }),
  resumes: z.boolean().meta({ description: '能接手其他运行时失联后留下的通话' }),
  businessCodes: z.array(z.string()).nullable().meta({ description: '只接这些业务；null 为全部业务' }),
  lastSeenAt: instant.meta({ description: '最近一次收到其消息的时间' }),
  ageSeconds: count.meta({ description: '距最近一次收到其消息的秒数' }),
});

/** Source: OCS 2.12 */
export const runtimeOverviewRoute = route('GET /api/runtime/overview', 'session', '运行总览', {
  data: z.object({
    activeContacts: count,
    stuckContacts: count,
    runningBatches: count,
    scheduler: z.object({ submittedLastMinute: count, failedLastMinute: count, completedBatchesLastMinute: count }),
    campaignProgress: z.array(campaignProgress),
    lineConcurrency: z.array(lineConcurrency),
    cellConcurrency: z.array(cellConcurrency),
    stuckBatches: z.array(batch),
    recentEvents: z.array(runtimeEvent),
    runtimeMode: z.enum(RUNTIME_MODES).meta({ description: '配置项 dispatch.runtime；rest 时运行时自行在交换机上接听，无需登记' }),
    hasUnregistered: z.boolean().meta({ description: '有未登记的话术运行时在接听，其名额视为不限' }),
    runtimes: z.array(runtime).meta({ description: '登记的话术运行时，按名称、编号排序，最多 500 个' }),
  }),
});
