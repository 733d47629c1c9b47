import { z } from 'zod';
import type { App } from '#app/app.ts';
import { instantText, toInstant } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, integerText, route } from '#platform/http/route.ts';
import { agentDay } from './agent-day.ts';
import { agentStats } from './agent-stat.ts';
import { getAgentStats } from './agent-stats.ts';
import { askCallStats } from './ask-call-stats.ts';
import {
  callStats,
  callStatsFilter,
  DEFAULT_ROWS,
  fieldKeys,
  MAX_GROUPINGS,
  MAX_MEASURES,
  MAX_ROWS,
  measureRow,
  statsOrder,
} from './call-stat.ts';
import { campaignFunnel, getCampaignFunnel } from './campaign-funnel.ts';
import { DIMENSIONS, FILTERS } from './decisions/dimensions.ts';
import { MEASURE_NAMES } from './decisions/measures.ts';
import { getAgentDay } from './read-agent-day.ts';
import { listMeasures } from './list-measures.ts';
import { getNodeStats, nodeStats } from './node-stats.ts';

/** Longest list of names, and longest filter, in characters. */
const MAX_LIST_LENGTH = 2_000;
const MAX_FILTER_LENGTH = 16_384;

const zoneText = z.string().trim().min(1).max(64).optional();

/** Names that commas separate. */
const namesText = <Name>(names: z.ZodType<Name[], string[]>) =>
  z
    .string()
    .max(MAX_LIST_LENGTH)
    .transform(text => text.split(',').map(name => name.trim()))
    .pipe(names);

const filterText = z
  .string()
  .max(MAX_FILTER_LENGTH)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: issue('json') });
      return z.NEVER;
    }
  })
  .pipe(callStatsFilter);

const orderText = z
  .string()
  .max(MAX_LIST_LENGTH)
  .transform(text => (text.startsWith('-') ? { measure: text.slice(1), direction: 'desc' } : { measure: text, direction: 'asc' }))
  .pipe(statsOrder);

const FILTER_TEXT = `JSON 对象，成员各为最多 100 个值的数组，须全部符合，空串为“无”：${Object.keys(FILTERS).join('、')}`;

/** Source: D14.6 */
export const callStatsRoute = route('GET /api/reports/call-stats', 'session', '通话统计：按时间与维度分组的指标；坐席只见自己的通话', {
  query: z.object({
    from: instantText.meta({ description: '不早于' }),
    to: instantText.meta({ description: '早于；与 from 相距最多 400 天' }),
    timeZone: zoneText.meta({ description: '按此时区分时；缺省为业务时区' }),
    filter: filterText.optional().meta({ description: FILTER_TEXT, example: '{"campaignIds":[1],"outcomes":["completed"]}' }),
    groupBy: namesText(z.array(z.enum(DIMENSIONS)).max(MAX_GROUPINGS))
      .optional()
      .meta({ description: `逗号分隔，最多 ${MAX_GROUPINGS} 个：${DIMENSIONS.join('、')}` }),
    groupFields: namesText(fieldKeys).optional().meta({ description: '结果字段的 key，逗号分隔，与 groupBy 中的 result_field 依次对应' }),
    measures: namesText(z.array(z.enum(MEASURE_NAMES)).min(1).max(MAX_MEASURES)).meta({
      description: '逗号分隔；名称与含义见 GET /api/reports/measures',
    }),
    orderBy: orderText.optional().meta({ description: '所问指标之一，前加 - 为从大到小；缺省按组的值' }),
    limit: integerText({ min: 1, max: MAX_ROWS }).optional().default(DEFAULT_ROWS),
  }),
  data: callStats,
});

export const measuresRoute = route('GET /api/reports/measures', 'session', '指标的名称、单位与定义', {
  query: z.object({ language: z.enum(['zh', 'en']).optional().default('zh') }),
  data: z.object({ rows: z.array(measureRow) }),
});

export const campaignFunnelRoute = route('GET /api/reports/campaign-funnel', 'session', '活动漏斗：联系人走到了哪一步', {
  query: z.object({ campaignId: idText4 }),
  data: campaignFunnel,
});

export const nodeStatsRoute = route('GET /api/reports/node-stats', 'session', '话术各节点：进入、去向、挂断、时长与置信度', {
  query: z.object({
    scriptId: idText4,
    version: integerText({ min: 1 }).optional(),
    campaignId: idText4.optional(),
    from: instantText,
    to: instantText.meta({ description: '早于；与 from 相距最多 400 天' }),
  }),
  data: nodeStats,
});

export const agentStatsRoute = route(
  'GET /api/reports/agent-stats',
  'agent:operate',
  '坐席统计：接听、通话、整理、各状态与各钟点的占用；坐席只能看自己',
  {
    query: z.object({
      from: instantText,
      to: instantText.meta({ description: '早于；与 from 相距最多 31 天' }),
      timeZone: zoneText.meta({ description: '钟点所在的时区；缺省为业务时区' }),
      agentId: idText4.optional(),
      groupId: idText4.optional(),
    }),
    data: agentStats,
  },
);

/** Source: D14.11 */
export const agentDayRoute = route('GET /api/agents/:id/day', 'agent:operate', '坐席的一天：状态、通话、回访与合计；坐席只能看自己', {
  params: idParam,
  query: z.object({ date: z.iso.date().optional().meta({ description: '业务时区的一天；缺省为今天' }) }),
  data: agentDay,
});

/** Source: D14.6 */
export function callStatsHandlers(app: App): RestHandler[] {
  const span = ({ from, to }: { from: string; to: string }) => ({ from: toInstant(from, app.timeZone), to: toInstant(to, app.timeZone) });
  return [
    handler(callStatsRoute, ({ query: { filter = {}, groupBy = [], groupFields = [], ...asked }, caller }) =>
      askCallStats(app, caller, { ...asked, filter, groupBy, groupFields, ...span(asked) }),
    ),
    handler(measuresRoute, async ({ query }) => ({ rows: listMeasures(query.language) })),
    handler(campaignFunnelRoute, ({ query }) => getCampaignFunnel(app, query.campaignId)),
    handler(nodeStatsRoute, ({ query }) => getNodeStats(app, { ...query, ...span(query) })),
    handler(agentDayRoute, ({ params, query, caller }) => getAgentDay(app, caller, { agentId: params.id, date: query.date })),
    handler(agentStatsRoute, ({ query, caller }) => getAgentStats(app, caller, { ...query, ...span(query) })),
  ];
}
