import { getAgentStats } from '#call-stats/agent-stats.ts';
import { askCallStats } from '#call-stats/ask-call-stats.ts';
import { measureOf } from '#call-stats/decisions/measures.ts';
import { getNodeStats } from '#call-stats/node-stats.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Language } from '#kernel/problem.ts';
import { keysOf } from '#kernel/typed.ts';
import { dimensionTitle, groupWords } from './decisions/group-words.ts';
import type { KeptOrder, KeptQuestion } from './decisions/kept-question.ts';
import type { ReportTable, Unit } from './decisions/report-text.ts';

/** Units: `from` and `to` UTC ms, `to` excluded */
export interface ReportRange {
  from: number;
  to: number;
  timeZone: string;
}

export type AnswerApp = Parameters<typeof askCallStats>[0] & Parameters<typeof getAgentStats>[0] & Parameters<typeof getNodeStats>[0];

type Asked<Report extends KeptQuestion['report']> = Extract<KeptQuestion, { report: Report }>;

/**
 * Answers a saved question for the calls of a range, by the rights of the caller.
 *
 * Errors: those of the statistics: INVALID_ARGUMENT for a range that is too long, NOT_FOUND for a script that is gone, RATE_LIMITED,
 *         DOWNSTREAM_TIMEOUT
 * Source: D14.6, D14.7
 */
export function answerReport(
  app: AnswerApp,
  caller: Caller,
  question: KeptQuestion,
  { language, ...range }: ReportRange & { language: Language },
): Promise<ReportTable> {
  switch (question.report) {
    case 'calls':
      return answerCalls(app, caller, question, { language, ...range });
    case 'agents':
      return answerAgents(app, caller, question, { language, ...range });
    case 'nodes':
      return answerNodes(app, question, { language, ...range });
    default:
      return question satisfies never;
  }
}

type Asking = ReportRange & { language: Language };

async function answerCalls(app: AnswerApp, caller: Caller, { asked }: Asked<'calls'>, asking: Asking): Promise<ReportTable> {
  const { language, ...range } = asking;
  const { rows, total } = await askCallStats(app, caller, { ...asked, ...range });
  const { groupBy, measures } = asked;
  return {
    heads: groupBy.map(dimension => dimensionTitle(dimension, language)),
    figures: measures.map(name => ({ name, title: measureOf(name).title[language], unit: measureOf(name).unit })),
    rows: rows.map(({ keys, values }) => ({
      keys: groupBy.map((dimension, place) => groupWords(dimension, keys[place] ?? NO_KEY, asking)),
      values,
    })),
    total,
  };
}

const NO_KEY = { value: '', label: null };

interface OtherFigure {
  title: Readonly<Record<Language, string>>;
  unit: Unit;
}

const figure = (unit: Unit, zh: string, en: string): OtherFigure => ({ unit, title: { zh, en } });

/** Figures of agents; the console's texts name them alike. */
const AGENT_FIGURES = {
  answered: figure('times', '接听', 'Calls handled'),
  offered: figure('times', '振铃', 'Rung'),
  missed: figure('times', '漏接', 'Missed'),
  talkSeconds: figure('seconds', '通话', 'Talk'),
  wrapUpSeconds: figure('seconds', '话后整理', 'Wrap-up'),
  onDutySeconds: figure('seconds', '在岗', 'On duty'),
  occupancy: figure('share', '占用率', 'Occupancy'),
} as const;

const NODE_FIGURES = {
  entered: figure('times', '进入', 'Entered'),
  hungUp: figure('times', '在此挂断', 'Hung up here'),
  hungUpShare: figure('share', '挂断率', 'Hang-up rate'),
  averageSeconds: figure('seconds', '平均时长', 'Average time'),
  averageConfidence: figure('share', '平均置信度', 'Average confidence'),
} as const;

async function answerAgents(app: AnswerApp, caller: Caller, { groupId, order }: Asked<'agents'>, asking: Asking): Promise<ReportTable> {
  const { language, ...range } = asking;
  const { rows } = await getAgentStats(app, caller, { ...range, groupId });
  const head = { zh: '坐席', en: 'Agent' }[language];
  return tableOf({ head, language, figures: AGENT_FIGURES, order }, rows, ({ name }) => name);
}

async function answerNodes(app: AnswerApp, { scriptId, order }: Asked<'nodes'>, { language, from, to }: Asking): Promise<ReportTable> {
  const { nodes } = await getNodeStats(app, { scriptId, from, to });
  const head = { zh: '节点', en: 'Node' }[language];
  const rows = nodes.map(node => ({ ...node, hungUpShare: node.entered === 0 ? null : node.hungUp / node.entered }));
  return tableOf({ head, language, figures: NODE_FIGURES, order }, rows, ({ nodeId }) => nodeId);
}

interface Shape<Name extends string> {
  head: string;
  language: Language;
  figures: Readonly<Record<Name, OtherFigure>>;
  order: KeptOrder | null;
}

function tableOf<Name extends string, Row extends Record<Name, number | null>>(
  { head, language, figures, order }: Shape<Name>,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): ReportTable {
  const names = keysOf(figures);
  const made = rows.map(row => ({ keys: [nameOf(row)], values: names.map(name => row[name]) }));
  return {
    heads: [head],
    figures: names.map(name => ({ name, title: figures[name].title[language], unit: figures[name].unit })),
    rows: ordered(
      made,
      names.findIndex(name => name === order?.figure),
      order?.isAscending ?? false,
    ),
    total: null,
  };
}

type Made = ReportTable['rows'][number];

/** Rows without a value come last, whatever the direction. */
function ordered(rows: readonly Made[], place: number, isAscending: boolean): readonly Made[] {
  if (place === -1) return rows;
  const sign = isAscending ? 1 : -1;
  const rank = ({ values }: Made) => values[place] ?? null;
  return rows.toSorted((one, other) => compare(rank(one), rank(other), sign));
}

function compare(one: number | null, other: number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return (one - other) * sign;
}
