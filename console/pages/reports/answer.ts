import type { CallMeasureUnit } from './reports.generated.ts';
import type { Dimension, Sort } from './question.ts';

/** A column of figures. */
export interface Figure {
  /** In small letters. */
  name: string;
  title: string;
  /** Explains how the figure is counted; null when the title suffices. */
  definition: string | null;
  unit: CallMeasureUnit;
}

export interface Key {
  value: string;
  /** Display name. */
  label: string;
}

export interface AnswerRow {
  keys: readonly Key[];
  /** In the order of the figures; null where there is nothing to measure. */
  values: readonly (number | null)[];
  /** Calls behind the row, by which a share of too few is known. */
  weight: number;
  /** Words beside the figures. */
  detail: string | null;
}

/** Answer to a report query, in one shape for calls, agents and script nodes. */
export interface Answer {
  /** Headings of the keys; `dimension` null for those of other reports. */
  heads: readonly { dimension: Dimension | null; title: string }[];
  figures: readonly Figure[];
  rows: readonly AnswerRow[];
  /** Heading of the words beside the figures; null: there are none. */
  detailTitle: string | null;
  /** Figures of all groups together; null where they have no sum. */
  total: readonly (number | null)[] | null;
  /** Groups that there are, those beyond the limit too. */
  groupCount: number;
  /** Instant as of which it was counted; null: not told. */
  asOf: string | null;
}

/** Rows of a tie that are named. */
const MOST_TIED = 3;

/** Calls below which a share or a mean says little. */
export const FEW = 20;

/** Rows by a figure, those without a value last; else as the server has them. */
export function sortedRows({ rows, figures }: Answer, sort: Sort | null): readonly AnswerRow[] {
  const place = figures.findIndex(({ name }) => name === sort?.measure);
  if (sort === null || place === -1) return rows;
  const sign = sort.isAscending ? 1 : -1;
  return rows.toSorted((one, other) => compare(one.values[place] ?? null, other.values[place] ?? null, sign));
}

function compare(one: number | null, other: number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return (one - other) * sign;
}

/** The rows with the highest value of the figure that comes first in the question, or that the table is sorted by. */
export interface Best {
  figure: Figure;
  /** Several: a tie. */
  rows: readonly AnswerRow[];
  value: number;
  /** Whether rows of few calls were passed over. */
  hasPassed: boolean;
}

export function bestOf(answer: Answer, sort: Sort | null): Best | null {
  const sorted = answer.figures.findIndex(({ name }) => name === sort?.measure);
  const place = Math.max(0, sorted);
  const figure = answer.figures[place];
  if (!figure || answer.rows.length < 2) return null;
  const sound = answer.rows.filter(row => !isShaky(figure, row));
  const among = sound.length > 0 ? sound : answer.rows;
  const sortedAmong = sortedRows({ ...answer, rows: among }, { measure: figure.name, isAscending: false });
  const value = sortedAmong[0]?.values[place] ?? null;
  const rows = sortedAmong.filter(row => row.values[place] === value);
  // Where everybody has the highest value, or many have, it says nothing of anybody.
  const isCommon = rows.length > 1 && (rows.length === among.length || rows.length > MOST_TIED);
  if (value === null || isCommon) return null;
  return { figure, rows, value, hasPassed: among.length < answer.rows.length };
}

/** Whether chance rather than the group may have made the figure. */
export function isShaky({ unit, name }: Figure, { weight }: AnswerRow): boolean {
  return weight < FEW && (unit === 'SHARE' || /_(average|p50|p90)$/.test(name));
}

/** The keys of a row in one line. */
export function nameOf({ keys }: Pick<AnswerRow, 'keys'>): string {
  return keys.map(({ label }) => label).join(' · ');
}
