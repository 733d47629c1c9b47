import { ANSWERED_BY_PERSON, type Outcome, OUTCOMES } from '#attempts/decisions/evidence.ts';
import { keysOf } from '#kernel/typed.ts';
import { COST_PARTS, FATES, type Fate, type NumberColumn } from './columns.ts';

interface Words {
  zh: string;
  en: string;
}

/** How a figure is made of what was counted; `partsPerUnit`: as many of the column make one of the measure's unit. */
export type Figure =
  | { kind: 'count'; of: readonly Fate[] }
  | { kind: 'share'; of: readonly Fate[]; among: readonly Fate[] }
  | { kind: 'sum'; column: NumberColumn; partsPerUnit: number }
  | { kind: 'average'; column: NumberColumn; partsPerUnit: number }
  /** `rank` 0..1: 0.9 is the value that nine of ten do not exceed. */
  | { kind: 'percentile'; column: NumberColumn; partsPerUnit: number; rank: number };

export const MEASURE_UNITS = ['calls', 'times', 'share', 'seconds', 'money'] as const;

/** A figure that may be asked for, with what it means. */
export interface Measure {
  unit: (typeof MEASURE_UNITS)[number];
  title: Words;
  definition: Words;
  figure: Figure;
}

const DIALS: readonly Fate[] = FATES.filter(fate => fate !== 'withdrawn');
const NOT_ANSWERED: readonly Fate[] = OUTCOMES.filter(outcome => outcome !== 'unknown' && !ANSWERED_BY_PERSON.includes(outcome));

const calls = (of: readonly Fate[], title: Words, definition: Words): Measure => ({
  unit: 'calls',
  title,
  definition,
  figure: { kind: 'count', of },
});

const times = (column: NumberColumn, title: Words, definition: Words): Measure => ({
  unit: 'times',
  title,
  definition,
  figure: { kind: 'sum', column, partsPerUnit: 1 },
});

const COUNTS = {
  dials: calls(
    DIALS,
    { zh: '外呼', en: 'Dials' },
    {
      zh: '没有撤回的外呼；恒等于 接通 + 未接通 + 进行中 + 结果不明',
      en: 'Claims that were not withdrawn: always answered + not answered + in progress + unknown',
    },
  ),
  answered: calls(
    ANSWERED_BY_PERSON,
    { zh: '接通', en: 'Answered' },
    {
      zh: '已结束、由真人接听的外呼：已通话、接通即挂、接通未说话、谢绝来电、接通无人服务；语音信箱等不算；进行中的通话结束后才计入',
      en: 'Ended dials that a person answered: completed, short, silent, opted out or abandoned. Mailboxes are none; a call counts once it has ended',
    },
  ),
  not_answered: calls(
    NOT_ANSWERED,
    { zh: '未接通', en: 'Not answered' },
    {
      zh: '已结束、没有真人接听的外呼，含语音信箱与我方故障',
      en: 'Ended dials that nobody answered, mailboxes and failures of ours included',
    },
  ),
  in_progress: calls(
    ['in_progress'],
    { zh: '进行中', en: 'In progress' },
    { zh: '还没有结束的外呼与通话', en: 'Dials and calls that have not ended' },
  ),
  unknown: calls(
    ['unknown'],
    { zh: '结果不明', en: 'Unknown' },
    { zh: '已结束、但没有人知道结果的外呼', en: 'Ended dials of which nobody knows the outcome' },
  ),
  withdrawn: calls(
    ['withdrawn'],
    { zh: '已撤回', en: 'Withdrawn' },
    { zh: '领取后在拨号前撤回，不是外呼', en: 'Claims that were withdrawn before dialling; they are no dials' },
  ),
} as const;

const RATES = {
  answer_rate: {
    unit: 'share',
    title: { zh: '接通率', en: 'Answer rate' },
    definition: { zh: '接通 ÷ 外呼', en: 'Answered ÷ dials' },
    figure: { kind: 'share', of: ANSWERED_BY_PERSON, among: DIALS },
  },
  abandonment_rate: {
    unit: 'share',
    title: { zh: '无人服务率', en: 'Abandonment rate' },
    definition: {
      zh: '接通无人服务 ÷ 接通，与外呼策略的上限同一算法',
      en: 'Abandoned ÷ answered, as the limit of a policy counts it',
    },
    figure: { kind: 'share', of: ['abandoned'], among: ANSWERED_BY_PERSON },
  },
} as const satisfies Record<string, Measure>;

const OUTCOME_TITLES: Readonly<Record<Exclude<Outcome, 'unknown'>, Words>> = {
  no_answer: { zh: '无人接听', en: 'No answer' },
  busy: { zh: '忙', en: 'Busy' },
  rejected: { zh: '拒接', en: 'Rejected' },
  power_off: { zh: '关机', en: 'Switched off' },
  out_of_service: { zh: '停机', en: 'Out of service' },
  invalid_number: { zh: '空号', en: 'Invalid number' },
  network_busy: { zh: '网络忙', en: 'Network busy' },
  voicemail: { zh: '语音信箱', en: 'Voicemail' },
  screening: { zh: '来电助理', en: 'Phone assistant' },
  fax: { zh: '传真', en: 'Fax' },
  abandoned: { zh: '接通无人服务', en: 'Abandoned' },
  silent: { zh: '接通未说话', en: 'Silent' },
  short: { zh: '接通即挂', en: 'Hung up immediately' },
  completed: { zh: '已通话', en: 'Conversation' },
  opted_out: { zh: '谢绝来电', en: 'Opted out' },
  local_failure: { zh: '我方故障', en: 'Local failure' },
};

const outcome = (name: Exclude<Outcome, 'unknown'>): Measure =>
  calls([name], OUTCOME_TITLES[name], { zh: `结果为「${OUTCOME_TITLES[name].zh}」的外呼`, en: `Dials whose outcome is \`${name}\`` });

const OUTCOME_COUNTS = {
  no_answer: outcome('no_answer'),
  busy: outcome('busy'),
  rejected: outcome('rejected'),
  power_off: outcome('power_off'),
  out_of_service: outcome('out_of_service'),
  invalid_number: outcome('invalid_number'),
  network_busy: outcome('network_busy'),
  voicemail: outcome('voicemail'),
  screening: outcome('screening'),
  fax: outcome('fax'),
  abandoned: outcome('abandoned'),
  silent: outcome('silent'),
  short: outcome('short'),
  completed: outcome('completed'),
  opted_out: outcome('opted_out'),
  local_failure: outcome('local_failure'),
};

const TIMES = {
  opt_outs: times(
    'opt_out',
    { zh: '勿扰要求', en: 'Opt-outs' },
    { zh: '客户要求不再来电的通话，无论由话术引擎还是坐席记下', en: 'Calls in which the customer asked for no further calls' },
  ),
  transfers_asked: times(
    'transfer_asked',
    { zh: '申请转人工', en: 'Transfers asked' },
    { zh: '转人工的申请', en: 'Transfers to a person that were asked for' },
  ),
  transfers_active: times(
    'transfer_active',
    { zh: '已转人工', en: 'Transfers made' },
    { zh: '有坐席接入的转人工', en: 'Transfers in which an agent came to the line' },
  ),
  takeovers_requested: times(
    'takeover_requested',
    { zh: '申请介入', en: 'Take-overs asked' },
    { zh: '人工介入的申请', en: 'Requests to take a call over' },
  ),
  takeovers_active: times(
    'takeover_active',
    { zh: '已介入', en: 'Take-overs made' },
    { zh: '人工已接入的介入', en: 'Take-overs in which the person came to the line' },
  ),
  takeovers_cancelled: times(
    'takeover_cancelled',
    { zh: '取消介入', en: 'Take-overs cancelled' },
    { zh: '被取消的介入', en: 'Take-overs that were cancelled' },
  ),
  takeovers_failed: times(
    'takeover_failed',
    { zh: '介入失败', en: 'Take-overs failed' },
    { zh: '失败的介入', en: 'Take-overs that failed' },
  ),
  takeovers_expired: times(
    'takeover_expired',
    { zh: '介入失效', en: 'Take-overs expired' },
    { zh: '没有等到接入就失效的介入', en: 'Take-overs whose request expired' },
  ),
  hints: times('hint', { zh: '提示', en: 'Hints' }, { zh: '给机器人的提示', en: 'Hints that people gave the bot' }),
  texts_spoken: times('text_spoken', { zh: '代说', en: 'Texts spoken' }, { zh: '请机器人说的话', en: 'Texts that people had the bot say' }),
  hand_backs: times('hand_back', { zh: '交还', en: 'Hand-backs' }, { zh: '客户交还给机器人', en: 'Customers handed back to the bot' }),
  listens: times('listen', { zh: '旁听', en: 'Listens' }, { zh: '旁听机器人的通话', en: 'Times that somebody listened to a bot' }),
  barges: times('barge', { zh: '强插', en: 'Barges' }, { zh: '强插机器人的通话', en: 'Times that somebody barged into the call of a bot' }),
};

/** Seconds of one kind, as their sum, mean, median and ninth decile. */
function seconds<const Name extends string>(name: Name, column: NumberColumn, partsPerUnit: number, title: Words, definition: Words) {
  const of = (kind: Figure['kind'], suffix: Words, figure: Figure): Measure => ({
    unit: 'seconds',
    title: { zh: `${title.zh}${suffix.zh}`, en: `${title.en}${suffix.en}` },
    definition: kind === 'percentile' ? approximate(definition) : definition,
    figure,
  });
  const base = { column, partsPerUnit };
  return {
    [name]: of('sum', { zh: '，合计', en: ', sum' }, { kind: 'sum', ...base }),
    [`${name}_average`]: of('average', { zh: '，平均', en: ', mean' }, { kind: 'average', ...base }),
    [`${name}_p50`]: of('percentile', { zh: '，中位', en: ', median' }, { kind: 'percentile', ...base, rank: 0.5 }),
    [`${name}_p90`]: of('percentile', { zh: '，90 分位', en: ', 90th percentile' }, { kind: 'percentile', ...base, rank: 0.9 }),
  } as Record<Name | `${Name}_average` | `${Name}_p50` | `${Name}_p90`, Measure>;
}

function approximate({ zh, en }: Words): Words {
  return { zh: `${zh}；按对数直方图计，误差不超过 0.4%`, en: `${en}. By a log-linear histogram, within 0.4 %` };
}

const SECONDS = {
  ...seconds(
    'time_to_answer_seconds',
    'answer_ms',
    1_000,
    { zh: '接通用时', en: 'Time to answer' },
    { zh: '接通的外呼从拨出到接听', en: 'From the dial to the answer, of answered dials' },
  ),
  ...seconds(
    'time_to_first_audio_seconds',
    'first_audio_ms',
    1_000,
    { zh: '首句用时', en: 'Time to first audio' },
    { zh: '接通的外呼从接听到客户听见第一句话', en: 'From the answer until the customer heard the first words, of answered dials' },
  ),
  ...seconds(
    'time_to_person_seconds',
    'person_ms',
    1_000,
    { zh: '等待坐席', en: 'Time to a person' },
    {
      zh: '从申请转人工到坐席接入，每个通话取最短的一次',
      en: 'From a transfer being asked for until an agent came to the line; the shortest of a call',
    },
  ),
  ...seconds(
    'ring_seconds',
    'ring_ms',
    1_000,
    { zh: '振铃', en: 'Ringing' },
    { zh: '已结束的外呼从拨出到接听，没有接听的到结束', en: 'From the dial to the answer, or to the end of a dial that was not answered' },
  ),
  ...seconds(
    'talk_seconds',
    'talk_s',
    1,
    { zh: '通话', en: 'Talk' },
    { zh: '接通的外呼从接听到结束', en: 'From the answer to the end, of answered dials' },
  ),
  ...seconds(
    'wrap_up_seconds',
    'wrap_up_s',
    1,
    { zh: '话后整理', en: 'Wrap-up' },
    { zh: '坐席在通话之后的话后整理', en: 'Wrap-up of agents after the call' },
  ),
};

const COST = {
  column: 'cost',
  partsPerUnit: COST_PARTS,
} as const;

const PRICED = {
  zh: '已结束且有应答的外呼（含语音信箱）按线路当时的价格：接通费 + 不足一个计费单位按一个计的通话费；线路没有价格的不计，不同货币不相加',
  en: 'Ended dials that anything answered, mailboxes too, at the price that the line had then: fee and started units. Lines without a price add nothing; currencies are not added up',
};

const COSTS = {
  cost: { unit: 'money', title: { zh: '通话费用', en: 'Cost' }, definition: PRICED, figure: { kind: 'sum', ...COST } },
  cost_average: {
    unit: 'money',
    title: { zh: '通话费用，平均', en: 'Cost, mean' },
    definition: PRICED,
    figure: { kind: 'average', ...COST },
  },
} as const satisfies Record<string, Measure>;

/**
 * The dictionary of figures: one definition of each, for every page, answer and document.
 *
 * Source: D14.6
 */
export const MEASURES = { ...COUNTS, ...RATES, ...OUTCOME_COUNTS, ...TIMES, ...SECONDS, ...COSTS } as const;

export type MeasureName = keyof typeof MEASURES;
export const MEASURE_NAMES = keysOf(MEASURES);

export function measureOf(name: MeasureName): Measure {
  return MEASURES[name];
}
