import type { PreviewOutcomeRulesQueryVariables, RuleStepFragment, RuleTableFragment } from './outcome-rules.generated.ts';

/** Rules as the server takes them. */
export type RulesInput = PreviewOutcomeRulesQueryVariables['rules'];
export type Outcome = RuleTableFragment['rules'][number]['outcomes'][number];
export type RuleNumber = RuleTableFragment['rules'][number]['number'];
export type StepKind = RuleStepFragment['kind'];
export type PartOfDay = NonNullable<RuleStepFragment['parts']>[number];

export const UNITS = { MINUTE: 60, HOUR: 3_600, DAY: 86_400, SECOND: 1 } as const;
export type Unit = keyof typeof UNITS;

/** A span of time as it is typed. */
export interface Span {
  amount: number | '';
  unit: Unit;
}

/** A step as it is typed; members of other kinds keep what was typed for them. */
export interface Step {
  kind: StepKind;
  after: Span;
  jitter: Span;
  parts: readonly PartOfDay[];
  days: number | '';
  text: string;
}

export interface Row {
  /** Identifies the row while it is moved. */
  key: number;
  outcomes: readonly Outcome[];
  from: number | '';
  /** Empty: without end. */
  to: number | '';
  number: RuleNumber;
  next: Step;
}

/** A table of rules as it is typed. */
export interface Table {
  maxAttempts: number | '';
  rows: readonly Row[];
  otherwise: StepKind;
}

const NEW_STEP: Step = {
  kind: 'AGAIN',
  after: { amount: 1, unit: 'HOUR' },
  jitter: { amount: 0, unit: 'MINUTE' },
  parts: ['MORNING', 'AFTERNOON', 'EVENING'],
  days: 1,
  text: '',
};

export const EMPTY: Table = { maxAttempts: 3, rows: [], otherwise: 'NOT_REACHED' };

export function tableOf({ maxAttempts, rules, otherwise }: RuleTableFragment): Table {
  return {
    maxAttempts,
    rows: rules.map(({ outcomes, from, to, number, next }, key) => ({ key, outcomes, from, to: to ?? '', number, next: stepOf(next) })),
    otherwise: otherwise.kind,
  };
}

function stepOf({ kind, afterSeconds, jitterSeconds, parts, days, text }: RuleStepFragment): Step {
  return {
    kind,
    after: afterSeconds === null ? NEW_STEP.after : spanOf(afterSeconds),
    jitter: jitterSeconds === null ? NEW_STEP.jitter : spanOf(jitterSeconds),
    parts: parts ?? NEW_STEP.parts,
    days: days ?? NEW_STEP.days,
    text: text ?? NEW_STEP.text,
  };
}

/** In the largest unit that is a whole number. */
export function spanOf(seconds: number): Span {
  const unit =
    (['DAY', 'HOUR', 'MINUTE'] as const).find(each => seconds > 0 && seconds % UNITS[each] === 0) ?? (seconds === 0 ? 'MINUTE' : 'SECOND');
  return { amount: seconds / UNITS[unit], unit };
}

/** An amount that is missing is sent as 0, which the server refuses where it must not be. */
export function secondsOf({ amount, unit }: Span): number {
  return (amount === '' ? 0 : amount) * UNITS[unit];
}

export function inputOf({ maxAttempts, rows, otherwise }: Table): RulesInput {
  return {
    maxAttempts: maxAttempts === '' ? 0 : maxAttempts,
    rules: rows.map(({ outcomes, from, to, number, next }) => ({
      outcomes: [...outcomes],
      from: from === '' ? 0 : from,
      to: to === '' ? null : to,
      number,
      next: stepInput(next),
    })),
    otherwise: { kind: otherwise },
  };
}

function stepInput({ kind, after, jitter, parts, days, text }: Step): RulesInput['otherwise'] {
  switch (kind) {
    case 'AGAIN':
      return { kind, afterSeconds: secondsOf(after), jitterSeconds: secondsOf(jitter) };
    case 'ANOTHER_PART_OF_DAY':
      return { kind, parts: [...parts] };
    case 'NEXT_NUMBER':
      return { kind, afterSeconds: secondsOf(after) };
    case 'LEAVE_MESSAGE':
      return { kind, afterSeconds: secondsOf(after), text };
    case 'BLOCK':
      return { kind, days: days === '' ? 0 : days };
    case 'DONE':
    case 'NOT_REACHED':
    case 'DO_NOT_CALL':
      return { kind };
    default:
      return kind satisfies never;
  }
}

/** With a row at its end. */
export function withRow(table: Table): Table {
  const key = Math.max(-1, ...table.rows.map(row => row.key)) + 1;
  return { ...table, rows: [...table.rows, { key, outcomes: [], from: 1, to: '', number: 'ANY', next: NEW_STEP }] };
}

export function withoutRow(table: Table, index: number): Table {
  return { ...table, rows: table.rows.toSpliced(index, 1) };
}

export function withChange(table: Table, index: number, change: Partial<Row>): Table {
  return { ...table, rows: table.rows.map((row, at) => (at === index ? { ...row, ...change } : row)) };
}

/** A row one place up (-1) or down (1); at the end of the table it stays. */
export function withMoved(table: Table, index: number, by: -1 | 1): Table {
  const [row, other] = [table.rows[index], table.rows[index + by]];
  if (row === undefined || other === undefined) return table;
  return { ...table, rows: table.rows.with(index, other).with(index + by, row) };
}

export function isSame(one: Table, other: Table): boolean {
  return JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(other));
}

interface Fault {
  field: string;
  problem: string;
}

/** Faults of the server by their place in the table. */
export interface TableFaults {
  /** By row; each with the member of the row that is at fault, '' for the row as such. */
  rows: ReadonlyMap<number, readonly { member: string; problem: string }[]>;
  maxAttempts: string | undefined;
  /** Those of no field of the table. */
  others: readonly string[];
}

export const NO_FAULTS: TableFaults = { rows: new Map(), maxAttempts: undefined, others: [] };

/** `input.rules.rules[2].next.parts[1]` is the member `parts` of row 2. */
export function placed(faults: readonly Fault[]): TableFaults {
  const ofRows = faults.flatMap(({ field, problem }) => {
    const [, row, path = ''] = /rules\.rules\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    return row === undefined ? [] : [{ row: Number(row), member: memberOf(path), problem }];
  });
  const rest = faults.filter(({ field }) => !/rules\.rules\[\d+\]/.test(field));
  return {
    rows: Map.groupBy(ofRows, ({ row }) => row),
    maxAttempts: rest.find(({ field }) => field.endsWith('.maxAttempts'))?.problem,
    others: rest.filter(({ field }) => !field.endsWith('.maxAttempts')).map(({ field, problem }) => `${field} ${problem}`),
  };
}

function memberOf(path: string): string {
  return path.replace(/^next\./, '').split(/[.[]/)[0] ?? '';
}
