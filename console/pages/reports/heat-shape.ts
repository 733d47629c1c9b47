import { type Answer, type AnswerRow, type Figure, isShaky } from './answer.ts';
import { timesBetween } from './chart-shape.ts';
import type { Dimension } from './question.ts';

/** A figure by two times of the week. */
export interface Heat {
  figure: Figure;
  down: { dimension: Dimension; values: readonly string[] };
  across: { dimension: Dimension; values: readonly string[] };
  /** The row of a cell, and how strong its colour is, 0 to 1; null for few calls. */
  cells: ReadonlyMap<string, { row: AnswerRow; value: number | null; strength: number | null }>;
}

export function cellKey(down: string, across: string): string {
  return `${down} ${across}`;
}

/** The map of an answer by weekday and hour of the day; null for any other answer. */
export function heatOf({ heads, figures, rows }: Answer): Heat | null {
  const figure = figures[0];
  const [weekday, hour] = ['WEEKDAY', 'HOUR_OF_DAY'].map(name => heads.findIndex(({ dimension }) => dimension === name));
  if (!figure || heads.length !== 2 || weekday === undefined || hour === undefined || weekday === -1 || hour === -1) return null;
  const valuesAt = (place: number) => [...new Set(rows.map(({ keys }) => keys[place]?.value ?? ''))];
  const strengthOf = strengths(rows, figure);
  return {
    figure,
    down: { dimension: 'WEEKDAY', values: timesBetween('WEEKDAY', valuesAt(weekday)) },
    across: { dimension: 'HOUR_OF_DAY', values: timesBetween('HOUR_OF_DAY', valuesAt(hour)) },
    cells: new Map(
      rows.map(row => [
        cellKey(row.keys[weekday]?.value ?? '', row.keys[hour]?.value ?? ''),
        { row, value: row.values[0] ?? null, strength: strengthOf(row) },
      ]),
    ),
  };
}

/** Places each value between the least and the most of those that enough calls stand behind. */
function strengths(rows: readonly AnswerRow[], figure: Figure): (row: AnswerRow) => number | null {
  const sound = rows.filter(row => !isShaky(figure, row)).flatMap(({ values }) => values[0] ?? []);
  const [least, most] = [Math.min(...sound), Math.max(...sound)];
  return row => {
    const value = row.values[0] ?? null;
    if (value === null || isShaky(figure, row)) return null;
    return most === least ? 1 : (value - least) / (most - least);
  };
}
