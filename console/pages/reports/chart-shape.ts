import type { CallMeasureUnit } from './reports.generated.ts';
import { addDays } from '../../text/date-range.ts';
import { type Answer, type AnswerRow, nameOf } from './answer.ts';
import { type Dimension, TIMES } from './question.ts';

export interface Series {
  label: string;
  unit: CallMeasureUnit;
  values: readonly (number | null)[];
  /** Whether it is drawn as bars, behind the others. */
  isBars: boolean;
  /** Value in the legend while the pointer is outside the chart. */
  total: number | null;
}

/** Data of a chart, from left to right. */
export interface ChartShape {
  labels: readonly string[];
  /** Whether neighbours follow each other, so that a line may join them. */
  isTime: boolean;
  /** One for each unit that has an axis: the left and the right one. */
  units: readonly CallMeasureUnit[];
  series: readonly Series[];
  /** Groups that have no place in the chart. */
  left: number;
}

const MOST_PLACES = 40;
const MOST_FIGURES = 4;
const MOST_LINES = 6;

/** Shapes an answer: figures beside each other, or one figure by its second grouping; null where a chart would show nothing. */
export function chartOf(answer: Answer, rows: readonly AnswerRow[], label: LabelOf): ChartShape | null {
  if (rows.length === 0 || answer.heads.length === 0) return null;
  const isByTwo = answer.heads.length === 2 && answer.heads.some(({ dimension }) => isTime(dimension));
  return isByTwo ? byTwo(answer, rows, label) : byFigures(answer, rows, label);
}

/** Words of a value that no row has. */
export type LabelOf = (dimension: Dimension, value: string) => string;

function isTime(dimension: Dimension | null | undefined): boolean {
  return TIMES.some(name => name === dimension);
}

function byFigures(answer: Answer, rows: readonly AnswerRow[], label: LabelOf): ChartShape {
  const dimension = answer.heads.length === 1 ? answer.heads[0]?.dimension : null;
  const places = isTime(dimension) && dimension ? timePlaces(dimension, rows, label) : rows.slice(0, MOST_PLACES).map(placeOf);
  const units = [...new Set(answer.figures.map(({ unit }) => unit))].slice(0, 2);
  const shown = barsFirst(answer.figures.map((figure, place) => ({ figure, place })).filter(({ figure }) => units.includes(figure.unit)));
  return {
    labels: places.map(each => each.label),
    isTime: isTime(dimension),
    units,
    series: shown.slice(0, MOST_FIGURES).map(({ figure, place }, index) => ({
      label: figure.title,
      unit: figure.unit,
      isBars: index === 0,
      values: places.map(({ row }) => row?.values[place] ?? null),
      total: answer.total?.[place] ?? null,
    })),
    left: isTime(dimension) ? 0 : Math.max(0, rows.length - MOST_PLACES),
  };
}

/** Counts are drawn as bars, behind what is compared with them; without any, the first figure is. */
function barsFirst<Shown extends { figure: Answer['figures'][number] }>(shown: readonly Shown[]): readonly Shown[] {
  const bars = shown.find(({ figure: { unit } }) => unit === 'CALLS' || unit === 'TIMES');
  return bars === undefined ? shown : [bars, ...shown.filter(each => each !== bars)];
}

interface Place {
  label: string;
  row: AnswerRow | undefined;
}

function placeOf(row: AnswerRow): Place {
  return { label: nameOf(row), row };
}

/** Rows in the order of time, with places for the times between them that have no calls. */
function timePlaces(dimension: Dimension, rows: readonly AnswerRow[], label: LabelOf): Place[] {
  const byKey = new Map(rows.map(row => [row.keys[0]?.value ?? '', row]));
  return timesBetween(dimension, [...byKey.keys()]).map(value => ({ label: label(dimension, value), row: byKey.get(value) }));
}

/** Most places that are filled in: a chart of a year by day has no more. */
const MOST_FILLED = 400;

/** Every value from the first to the last, where what lies between is known; units as `CallDimension` spells them. */
export function timesBetween(dimension: Dimension, values: readonly string[]): readonly string[] {
  const sorted = values.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  const next = NEXT[dimension];
  if (first === undefined || last === undefined || next === undefined) return sorted;
  const filled = [first];
  for (let at = next(first); at <= last && filled.length < MOST_FILLED; at = next(at)) filled.push(at);
  return filled;
}

const NEXT: Partial<Record<Dimension, (value: string) => string>> = {
  HOUR_OF_DAY: value => String(Number(value) + 1).padStart(2, '0'),
  WEEKDAY: value => String(Number(value) + 1),
  DAY: value => addDays(value, 1),
  WEEK: value => addDays(value, 7),
  HOUR: value => new Date(Date.parse(value) + 3_600_000).toISOString(),
};

/** The first figure over time, a line for each value of the other grouping, most calls first. */
function byTwo(answer: Answer, rows: readonly AnswerRow[], label: LabelOf): ChartShape | null {
  const time = answer.heads.findIndex(({ dimension }) => isTime(dimension));
  const dimension = answer.heads[time]?.dimension;
  const figure = answer.figures[0];
  if (!dimension || !figure) return null;
  const times = timesBetween(dimension, [...new Set(rows.map(({ keys }) => keys[time]?.value ?? ''))]);
  const groups = [...Map.groupBy(rows, ({ keys }) => keys[1 - time]?.value ?? '').values()].toSorted(
    (one, other) => calls(other) - calls(one),
  );
  return {
    labels: times.map(value => label(dimension, value)),
    isTime: true,
    units: [figure.unit],
    series: groups.slice(0, MOST_LINES).map(group => lineOf(group, { times, time, unit: figure.unit })),
    left: Math.max(0, groups.length - MOST_LINES),
  };
}

function lineOf(
  group: readonly AnswerRow[],
  { times, time, unit }: { times: readonly string[]; time: number; unit: CallMeasureUnit },
): Series {
  const byTime = new Map(group.map(row => [row.keys[time]?.value ?? '', row.values[0] ?? null]));
  return {
    label: group[0]?.keys[1 - time]?.label ?? '',
    unit,
    isBars: false,
    values: times.map(value => byTime.get(value) ?? null),
    total: null,
  };
}

function calls(rows: readonly AnswerRow[]): number {
  return rows.reduce((sum, { weight }) => sum + weight, 0);
}
