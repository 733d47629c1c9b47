import { z } from 'zod';
import { attempt } from '#attempts/attempt.ts';
import { shownAttempts } from '#attempts/shown-attempts.ts';
import { batch } from '#attempts/batch.ts';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { CONTACT_STATUSES } from '#contacts/contact.ts';
import { flag, instant, rowId } from '#kernel/fields.ts';
import { CELL_STATES } from '#platform/freeswitch/switch.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { integerText, route } from '#platform/http/route.ts';
import { runtimeEvent } from '#runtime-events/runtime-event.ts';
import { RUNTIME_MODES } from '#runtimes/survey-runtimes.ts';
import { getTrend } from './counts.ts';
import { getOverview, type Overview } from './overview.ts';
import { getRuntimeOverview, type RuntimeOverview } from './runtime-overview.ts';
import type { App } from '#app/app.ts';
import { tableOf } from '#kernel/typed.ts';

/** Source: OCS 4.1, 8 */
const DEFAULT_TREND_DAYS = 14;
const MAX_TREND_DAYS = 90;

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const byStatus = <Status extends string>(statuses: readonly Status[]) => z.record(z.enum(statuses), count);

/**
 * `attempts` and `ratios` cover the current business day. An attempt counts on the day on which it was claimed, withdrawn claims do not
 * count; `failed` includes calls without an answer and calls with an unknown outcome. Ratios are shares of `today`, 0 without attempts.
 *
 * Source: OCS 4.1, D14.2
 */
export const overviewRoute = route('GET /api/overview', 'session', '总览：活动、联系人、今日通话、坐席与最近动态', {
  data: z.object({
    campaigns: z.object({ total: count, running: count, paused: count, byStatus: byStatus(CAMPAIGN_STATUSES) }),
    contacts: z.object({ total: count, byStatus: byStatus(CONTACT_STATUSES) }),
    attempts: z.object({ today: count, answered: count, completed: count, failed: count }),
    ratios: z.object({ answerRate: share, completionRate: share }),
    activeCalls: count,
    agents: z.object({ idle: count, busy: count, offline: count }),
    recentEvents: z.array(runtimeEvent),
    recentAttempts: z.array(attempt),
  }),
});

/** Source: OCS 4.1, D14.2 */
export const trendRoute = route('GET /api/overview/trend', 'session', '每日通话与结果；days 为天数，含今天', {
  query: z.object({ days: integerText({ min: 1, max: MAX_TREND_DAYS }).optional().default(DEFAULT_TREND_DAYS) }),
  data: z.object({
    rows: z.array(
      z.object({
        date: z.iso.date(),
        attempts: count,
        answered: count,
        completed: count,
        failed: count,
        averageDurationSeconds: z.number().nonnegative(),
      }),
    ),
  }),
});

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
  resumes: z.boolean().meta({ description: '能接手其他话术引擎失联后留下的通话' }),
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
    runtimeMode: z.enum(RUNTIME_MODES).meta({ description: '配置项 dispatch.runtime；rest 时话术引擎自行在交换机上接听，无需登记' }),
    hasUnregistered: z.boolean().meta({ description: '有未登记的话术引擎在接听，其名额视为不限' }),
    runtimes: z.array(runtime).meta({ description: '登记的话术引擎，按名称、编号排序，最多 500 个' }),
  }),
});

/** Source: OCS 2.12, 4.1, D14.2 */
export function overviewHandlers(app: App): RestHandler[] {
  return [
    handler(overviewRoute, async ({ caller }) => {
      const overview = await getOverview(app);
      return presentOverview({ ...overview, recentAttempts: await shownAttempts(app, caller, overview.recentAttempts) });
    }),
    handler(trendRoute, async ({ query }) => ({ rows: await getTrend(app, query.days) })),
    handler(runtimeOverviewRoute, async () => {
      const { campaigns, lines, cells, stuckBatches, recentEvents, runtimes, ...counts } = await getRuntimeOverview(app);
      return {
        ...counts,
        campaignProgress: campaigns.map(presentProgress),
        lineConcurrency: lines,
        cellConcurrency: cells,
        stuckBatches,
        recentEvents,
        runtimes: runtimes.map(presentRuntime),
      };
    }),
  ];
}

function presentOverview(overview: Overview) {
  const { today, activeCalls, agents, ratios } = overview;
  const campaigns = everyStatus(CAMPAIGN_STATUSES, overview.campaigns);
  const contacts = everyStatus(CONTACT_STATUSES, overview.contacts);
  return {
    campaigns: { total: sum(campaigns), running: campaigns.running, paused: campaigns.paused, byStatus: campaigns },
    contacts: { total: sum(contacts), byStatus: contacts },
    attempts: { today: today.attempts, answered: today.answered, completed: today.completed, failed: today.failed },
    ratios,
    activeCalls,
    agents,
    recentEvents: overview.recentEvents,
    recentAttempts: overview.recentAttempts,
  };
}

/** A status without entries counts as 0 instead of being absent. */
function everyStatus<Status extends string>(statuses: readonly Status[], counts: Partial<Record<Status, number>>): Record<Status, number> {
  return tableOf(statuses, status => counts[status] ?? 0);
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function presentProgress({
  contacts,
  awaitingRetry,
  nextWakeAt,
  held: _held,
  phaseCause: _phaseCause,
  phaseSince: _phaseSince,
  ...campaign
}: RuntimeOverview['campaigns'][number]) {
  const total = Object.values(contacts).reduce((sum, count) => sum + count, 0);
  const finished = contacts.completed + contacts.failed - awaitingRetry;
  const progress = total === 0 ? 0 : finished / total;
  return { ...campaign, nextWakeAt, total, ...contacts, awaitingRetry, progress };
}

function presentRuntime({ businessCodes, lastSeenAt, ...runtime }: RuntimeOverview['runtimes'][number]) {
  return { ...runtime, businessCodes: businessCodes && [...businessCodes], lastSeenAt };
}
