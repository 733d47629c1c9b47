import type { FieldFigures, Figures } from '#nlu/local/weights.ts';
import { type Answer, measure, SURE } from './measure.ts';

/** An answer with the number of branches of its case. */
export interface SizedAnswer extends Answer {
  branches: number;
}

export function figuresOf(answers: readonly SizedAnswer[]): Figures {
  const { count, keptShare, keptAccuracy, ece } = measure(answers);
  const among = (from: number, to: number) => {
    const group = answers.filter(({ branches }) => branches >= from && branches <= to);
    return group.length === 0 ? null : rounded(measure(group).accuracy);
  };
  return {
    count,
    among5: among(2, 7),
    among10: among(8, 20),
    among36: among(21, Number.POSITIVE_INFINITY),
    keptShare: rounded(keptShare),
    keptAccuracy: rounded(keptAccuracy),
    ece: rounded(ece),
  };
}

export function fieldFiguresOf(answers: readonly Answer[]): FieldFigures {
  const { count, accuracy, keptShare, keptAccuracy, ece } = measure(answers);
  return { count, accuracy: rounded(accuracy), keptShare: rounded(keptShare), keptAccuracy: rounded(keptAccuracy), ece: rounded(ece) };
}

/** One line about fields, without the cases: nobody must tune the engine to the cases of a blind set. */
export function describeFields(name: string, { count, accuracy, keptShare, keptAccuracy, ece }: FieldFigures): string {
  const kept = `${percent(keptShare)} kept at ≥ ${SURE}, of these ${percent(keptAccuracy)} right`;
  return `fields, ${name} (${count}): ${percent(accuracy)} right; ${kept}; ECE ${ece.toFixed(3)}`;
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

const COLUMNS = ['among 5', 'among 10', 'among 36', 'kept at ≥ 0.8', 'of these right', 'ECE'];
const GOALS = ['≥ 90 %', '≥ 85 %', '≥ 76 %', '≥ 75 %', '≥ 96 %', '≤ 0.05'];
const NAME_WIDTH = 34;
const CELL_WIDTH = 16;

/** One row for each kind of set below the goals, so that favourable and unfavourable sets appear side by side. */
export function describeHeadline(rows: readonly (readonly [string, Figures])[]): string[] {
  return [line('', COLUMNS), line('goal', GOALS), ...rows.map(([name, row]) => line(`${name} (${row.count})`, cellsOf(row)))];
}

/** Summary of double negations, rhetorical questions and irony: even one confident miss counts against the goal. */
export function describeComposition(answers: readonly Answer[]): string {
  const sureMisses = answers.filter(({ right, confidence }) => !right && confidence >= SURE).length;
  const right = percent(measure(answers).accuracy);
  return `denials of denials and irony (${answers.length}): ${right} right (goal ≥ 85 %), ${sureMisses} missed at ≥ 0.8 (goal 0)`;
}

function cellsOf({ among5, among10, among36, keptShare, keptAccuracy, ece }: Figures): string[] {
  return [...[among5, among10, among36, keptShare, keptAccuracy].map(percent), ece.toFixed(3)];
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(NAME_WIDTH) + cells.map(cell => cell.padStart(CELL_WIDTH)).join('');
}
