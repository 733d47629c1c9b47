import { z } from 'zod';
import { instant, requiredText, rowId } from '#kernel/fields.ts';
import { FATES, HANDLERS } from './decisions/columns.ts';
import { DIMENSIONS } from './decisions/dimensions.ts';
import { MEASURE_NAMES, MEASURE_UNITS } from './decisions/measures.ts';

/** Most values of one member of a filter. */
const MAX_VALUES = 100;
const MAX_TEXT_LENGTH = 200;
const MAX_FIELD_FILTERS = 8;
const MAX_KEY_LENGTH = 100;
export const MAX_GROUPINGS = 3;
export const MAX_MEASURES = 60;
export const MAX_ROWS = 10_000;
export const DEFAULT_ROWS = 1_000;
export const MAX_DAYS = 400;

const scriptVersion = z.string().regex(/^\d{1,10}:\d{1,10}$/);
const attemptNumber = z.int().positive().max(1_000);

const anyOf = <Value extends z.ZodType>(value: Value, description: string) =>
  z.array(value).min(1).max(MAX_VALUES).optional().meta({ description });
const text = z.string().max(MAX_TEXT_LENGTH);

/** ISO 4217, or empty. */
const currency = z.string().max(3);

const fieldKey = z.string().min(1).max(MAX_KEY_LENGTH);
const fieldFilter = z.object({ key: fieldKey, values: z.array(text).min(1).max(MAX_VALUES) }).strict();

/** A call counts if it matches every member, each by any of its values; an empty text means "none". */
export const callStatsFilter = z
  .object({
    campaignIds: anyOf(rowId, '活动'),
    businessCodes: anyOf(text, '活动今天所属的业务'),
    lineIds: anyOf(rowId, '线路'),
    numbers: anyOf(text, '主叫号码'),
    cellIds: anyOf(text, '交换机节点'),
    agentIds: anyOf(rowId, '最后与客户通话的坐席'),
    agentGroupIds: anyOf(rowId, '该坐席今天所属的组'),
    scriptIds: anyOf(rowId, '话术'),
    scriptVersions: anyOf(scriptVersion, '话术版本，例如 7:3 为话术 7 的第 3 版'),
    outcomes: anyOf(z.enum(FATES), '结果；in_progress 为进行中，withdrawn 为已撤回'),
    classifications: anyOf(text, '分类'),
    intents: anyOf(text, '意图'),
    attemptNumbers: anyOf(attemptNumber, '联系人的第几次拨打'),
    handledBy: anyOf(z.enum(HANDLERS), '由谁与客户通话；none 为没有通话'),
    currencies: anyOf(currency, '线路当时价格的货币；空串为线路没有价格'),
    resultFields: z.array(fieldFilter).min(1).max(MAX_FIELD_FILTERS).optional().meta({ description: '结果字段；每个都须符合' }),
  })
  .strict()
  .meta({ id: 'CallStatsFilter' });

export type CallStatsFilter = z.output<typeof callStatsFilter>;

/** Keys of the result fields that are grouped by, in the order of their groupings. */
export const fieldKeys = z.array(fieldKey).max(MAX_GROUPINGS);

export const statsOrder = z.object({ measure: z.enum(MEASURE_NAMES), direction: z.enum(['asc', 'desc']) });

/** A statistics query without its time range. */
export const callStatsAsked = z.object({
  timeZone: requiredText(64).optional(),
  filter: callStatsFilter.optional().default({}),
  groupBy: z.array(z.enum(DIMENSIONS)).max(MAX_GROUPINGS).optional().default([]),
  groupFields: fieldKeys.optional().default([]),
  measures: z.array(z.enum(MEASURE_NAMES)).min(1).max(MAX_MEASURES),
  orderBy: statsOrder.optional(),
  limit: z.int().min(1).max(MAX_ROWS).optional().default(DEFAULT_ROWS),
});

/** Units: `from` and `to` UTC ms, `to` excluded */
export interface CallStatsQuestion extends z.output<typeof callStatsAsked> {
  from: number;
  to: number;
}

const figure = z.number().nullable();

export const callStats = z
  .object({
    rows: z.array(
      z.object({
        keys: z.array(
          z.object({
            value: z.string().meta({ description: '组的值：编号、代码、日期等；空串为“无”' }),
            label: z.string().nullable().meta({ description: '编号所指者的名称；没有名称或已不存在为 null' }),
          }),
        ),
        values: z.array(figure).meta({ description: '各指标的值，按所问的次序；没有可计的为 null' }),
      }),
    ),
    total: z.array(figure).meta({ description: '所有组合在一起的值' }),
    currencies: z.array(z.string()).meta({ description: '费用的货币；没有问费用时为空' }),
    asOf: instant.meta({ description: '数据截至：从备库读取时可能落后主库几秒；尚未封存的小时另可再旧 5 秒' }),
    groupCount: z.int().meta({ description: '组数，含超出 limit 未返回的' }),
    from: instant,
    to: instant,
    timeZone: z.string(),
  })
  .meta({ id: 'CallStats' });

export type CallStats = z.output<typeof callStats>;

export const measureRow = z
  .object({
    name: z.enum(MEASURE_NAMES),
    unit: z.enum(MEASURE_UNITS),
    title: z.string(),
    definition: z.string(),
  })
  .meta({ id: 'CallMeasure' });

export type MeasureRow = z.output<typeof measureRow>;
