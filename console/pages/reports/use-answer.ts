import { useQuery } from '@apollo/client/react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useDateRange } from '../../table/date-range.tsx';
import type { Answer, AnswerRow, Figure } from './answer.ts';
import { type KeyWords, useKeyWords } from './key-words.ts';
import { filterOf, keyOf, type Question } from './question.ts';
import {
  AgentReportDocument,
  type AgentReportQuery,
  CallMeasuresDocument,
  type CallMeasuresQuery,
  CallReportDocument,
  type CallReportQuery,
  NodeReportDocument,
  type NodeReportQuery,
} from './reports.generated.ts';

/** Range of an address without one, and what is offered. */
export const RANGE = { usual: 'week', presets: ['yesterday', 'today', 'thisWeek', 'week', 'month', 'thisMonth'] } as const;

/** Groups of one answer: more are read by nobody, and a download of calls has them all. */
const MOST_ROWS = 2_000;
/** How often figures are read again, in ms: those of today still grow. */
const LOOK_MS = 60_000;
/** Counted with every question, so that a share of too few calls is known. */
const WEIGHT = 'dials';

export interface Asking {
  answer: Answer | null;
  isLoading: boolean;
  error: Error | undefined;
}

interface Range {
  from: string;
  to: string;
}

/** The range of the address; null while a bound is missing. */
export function useReportRange(): Range | null {
  const { from, to } = useDateRange(RANGE);
  return useMemo(() => (from === null || to === null ? null : { from, to }), [from, to]);
}

export type Measures = NonNullable<CallMeasuresQuery['measures']>;

const NO_MEASURES: Measures = [];

/** The dictionary of figures in the language of the page. */
export function useMeasures(): Measures {
  const { i18n } = useTranslation();
  const { data, refetch } = useQuery(CallMeasuresDocument);
  // The server translates these texts and the cache does not depend on the language: refetch when it changes.
  useEffect(() => void refetch(), [i18n.language, refetch]);
  return data?.measures ?? NO_MEASURES;
}

/** Asks the question of the address in its range. */
export function useAnswer(question: Question): Asking {
  const calls = useCallAnswer(question);
  const agents = useAgentAnswer(question);
  const nodes = useNodeAnswer(question);
  return { calls, agents, nodes }[question.report];
}

const NOWHERE: Range = { from: '', to: '' };

function useCallAnswer(question: Question): Asking {
  const range = useReportRange();
  const words = useKeyWords();
  const { t } = useTranslation();
  const dictionary = useMeasures();
  const figures = useMemo(() => figuresOf(question, dictionary), [question, dictionary]);
  const names = useMemo(() => namesOf(figures, dictionary), [figures, dictionary]);
  const order = names.find(name => name.toLowerCase() === question.sort?.measure);
  const { data, previousData, loading, error } = useQuery(CallReportDocument, {
    variables: {
      ...(range ?? NOWHERE),
      filter: filterOf(question.chosen),
      groupBy: [...question.groupBy],
      measures: [...names],
      orderBy: order ? { measure: order, direction: question.sort?.isAscending ? 'ASC' : 'DESC' } : null,
      limit: MOST_ROWS,
    },
    skip: question.report !== 'calls' || range === null || figures.length === 0,
    pollInterval: LOOK_MS,
  });
  // An answer to the question before would stand under the wrong headings.
  const report = data?.report ?? null;
  const answer = useMemo(
    () => report && callAnswer(report, { question, figures, names, words, title: dimension => t(`reports.dimension.${keyOf(dimension)}`) }),
    [report, question, figures, names, words, t],
  );
  return { answer, isLoading: loading && !previousData, error };
}

function figuresOf({ measures }: Question, dictionary: Measures): Figure[] {
  const byName = new Map(dictionary.map(measure => [measure.name.toLowerCase(), measure]));
  return measures.flatMap(name => {
    const found = byName.get(name);
    return found ? [{ name, title: found.title, definition: found.definition, unit: found.unit }] : [];
  });
}

/** The figures as they are asked for: what is shown, and by how many calls. */
function namesOf(figures: readonly Figure[], dictionary: Measures): readonly Measures[number]['name'][] {
  const wanted = [WEIGHT, ...figures.map(({ name }) => name)];
  return dictionary.map(({ name }) => name).filter(name => wanted.includes(name.toLowerCase()));
}

interface Shown {
  question: Question;
  figures: readonly Figure[];
  /** The figures in the order of the answer. */
  names: readonly string[];
  words: KeyWords;
  title: (dimension: Question['groupBy'][number]) => string;
}

function callAnswer(report: NonNullable<CallReportQuery['report']>, { question, figures, names, words, title }: Shown): Answer {
  const placeOf = (wanted: string) => names.findIndex(name => name.toLowerCase() === wanted);
  const pick = (values: readonly (number | null)[]) => figures.map(({ name }) => values[placeOf(name)] ?? null);
  return {
    heads: question.groupBy.map(dimension => ({ dimension, title: title(dimension) })),
    figures: figures.map(figure => inCurrency(figure, report.currencies)),
    rows: report.rows.map(({ keys, values }) => ({
      keys: keys.map(({ value, label }, place) => ({ value, label: wordsAt(question, place, words)(value, label) })),
      values: pick(values),
      weight: values[placeOf(WEIGHT)] ?? 0,
      detail: null,
    })),
    detailTitle: null,
    total: pick(report.total),
    groupCount: report.groupCount,
    asOf: report.asOf,
  };
}

/** Names the currency where all costs have one; of several, each group tells its own. */
function inCurrency(figure: Figure, currencies: readonly string[]): Figure {
  return figure.unit === 'MONEY' && currencies.length === 1 ? { ...figure, title: `${figure.title} (${currencies[0]})` } : figure;
}

function wordsAt({ groupBy }: Question, place: number, words: KeyWords) {
  return (value: string, label: string | null): string => {
    const dimension = groupBy[place];
    return dimension ? words(dimension, value, label) : value;
  };
}

/** Figures of the reports that count no calls, with the unit of each. */
const AGENT_FIGURES = {
  answered: 'TIMES',
  offered: 'TIMES',
  missed: 'TIMES',
  talkSeconds: 'SECONDS',
  wrapUpSeconds: 'SECONDS',
  onDutySeconds: 'SECONDS',
  occupancy: 'SHARE',
} as const;
const NODE_FIGURES = {
  entered: 'TIMES',
  hungUp: 'TIMES',
  hungUpShare: 'SHARE',
  averageSeconds: 'SECONDS',
  averageConfidence: 'SHARE',
} as const;

function useFigures(report: 'agents' | 'nodes', names: Readonly<Record<string, Figure['unit']>>): Figure[] {
  const { t } = useTranslation();
  return useMemo(
    () =>
      Object.entries(names).map(([name, unit]) => ({
        name,
        unit,
        title: t(`reports.${report}Figure.${name}`),
        definition: t(`reports.${report}About.${name}`),
      })),
    [t, names, report],
  );
}

function useAgentAnswer({ report, chosen }: Question): Asking {
  const { t } = useTranslation();
  const range = useReportRange();
  const figures = useFigures('agents', AGENT_FIGURES);
  const { data, loading, error } = useQuery(AgentReportDocument, {
    variables: { ...(range ?? NOWHERE), groupId: chosen.AGENT_GROUP?.[0] ?? null },
    skip: report !== 'agents' || range === null,
    pollInterval: LOOK_MS,
  });
  const rows = data?.report?.rows;
  const answer = useMemo(() => {
    const words = { head: t('reports.dimension.agent'), detail: null };
    return (
      rows &&
      otherAnswer(
        words,
        figures,
        rows.map(row => agentRow(row, figures)),
      )
    );
  }, [rows, figures, t]);
  return { answer: answer ?? null, isLoading: loading, error };
}

type AgentRow = NonNullable<AgentReportQuery['report']>['rows'][number];
type NodeRow = NonNullable<NodeReportQuery['report']>['nodes'][number];

/** Figures of agents that may be added up: what each of them did. A node is entered by calls that entered others too. */
const SUMMED = ['answered', 'offered', 'missed', 'talkSeconds', 'wrapUpSeconds', 'onDutySeconds'];

function agentRow(row: AgentRow, figures: readonly Figure[]): AnswerRow {
  const values: Record<string, number | null> = { ...row, agentId: null, name: null, __typename: null, occupancy: row.occupancy ?? null };
  return {
    keys: [{ value: row.agentId, label: row.name }],
    values: figures.map(({ name }) => values[name] ?? null),
    weight: row.answered,
    detail: null,
  };
}

function otherAnswer(words: { head: string; detail: string | null }, figures: readonly Figure[], rows: readonly AnswerRow[]): Answer {
  const sum = (place: number) => rows.reduce((all, { values }) => all + (values[place] ?? 0), 0);
  const isSummed = SUMMED.some(name => figures.some(figure => figure.name === name));
  return {
    heads: [{ dimension: null, title: words.head }],
    figures,
    rows,
    detailTitle: words.detail,
    total: isSummed ? figures.map(({ name }, place) => (SUMMED.includes(name) ? sum(place) : null)) : null,
    groupCount: rows.length,
    asOf: null,
  };
}

function useNodeAnswer({ report, chosen }: Question): Asking {
  const { t } = useTranslation();
  const range = useReportRange();
  const figures = useFigures('nodes', NODE_FIGURES);
  const scriptId = chosen.SCRIPT?.[0] ?? '';
  const { data, loading, error } = useQuery(NodeReportDocument, {
    variables: { ...(range ?? NOWHERE), scriptId },
    skip: report !== 'nodes' || range === null || scriptId === '',
    pollInterval: LOOK_MS,
  });
  const nodes = data?.report?.nodes;
  const answer = useMemo(() => {
    const words = { head: t('reports.node'), detail: t('reports.branches') };
    return (
      nodes &&
      otherAnswer(
        words,
        figures,
        nodes.map(node => nodeRow(node, figures)),
      )
    );
  }, [nodes, figures, t]);
  return { answer: answer ?? null, isLoading: loading, error };
}

function nodeRow(node: NodeRow, figures: readonly Figure[]): AnswerRow {
  const { nodeId, name, entered, hungUp, averageSeconds, averageConfidence, left } = node;
  const values: Record<string, number | null> = {
    entered,
    hungUp,
    hungUpShare: entered === 0 ? null : hungUp / entered,
    averageSeconds,
    averageConfidence,
  };
  return {
    keys: [{ value: nodeId, label: name ?? nodeId }],
    values: figures.map(({ name }) => values[name] ?? null),
    weight: entered,
    detail: left.map(({ branch, count }) => `${branch} ${count}`).join(' · '),
  };
}
