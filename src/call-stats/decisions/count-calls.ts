import { assert } from '#kernel/assert.ts';
import type { Column } from './column.ts';
import type { ColumnName } from './columns.ts';
import { Groups, groupRows } from './group-rows.ts';
import type { MeasureName } from './measures.ts';
import type { CompiledQuestion, GroupRow } from './question.ts';
import { GroupTotals, sumTotals, type Totals, valueOf } from './totals.ts';

/** The columns of an hour that a question reads. */
export interface HourColumns {
  /** UTC ms. */
  hour: number;
  rows: number;
  columns: ReadonlyMap<ColumnName, Column>;
}

/** Running counts of one query, by group. */
export interface GroupedCalls {
  groups: Groups;
  totals: GroupTotals;
  maxGroups: number;
  /** Currencies of the calls that count, where a cost is asked for; an empty text for lines without a price. */
  currencies: Set<string>;
}

export function emptyCounts({ groupings, numbers }: CompiledQuestion, maxGroups: number): GroupedCalls {
  return { groups: new Groups(groupings.length, maxGroups), totals: new GroupTotals(numbers), maxGroups, currencies: new Set() };
}

/** Counts the calls of an hour. Errors: TooManyGroups */
export function countHour(
  question: CompiledQuestion,
  { groups, totals, currencies }: GroupedCalls,
  { hour, rows, columns }: HourColumns,
): void {
  if (rows === 0) return;
  const column = (name: ColumnName) => columnIn(columns, name);
  const groupOf = new Int32Array(rows);
  if (!groupRows({ hour, rows, column }, question, groups, groupOf)) return;
  if (question.numbers.has('cost')) noteTexts({ rows, groupOf }, column('currency'), currencies);
  const found = groups.keys.length;
  totals.addFates({ rows, groupOf, groups: found }, column('outcome'));
  for (const name of question.numbers.keys()) totals.addNumbers(name, { rows, groupOf, groups: found }, column(name));
}

/** Adds the texts of rows that count; an hour has few, most of them known from the hours before. */
function noteTexts({ rows, groupOf }: { rows: number; groupOf: Int32Array }, { codes, dictionary }: Column, into: Set<string>): void {
  const texts = dictionary ?? [''];
  if (texts.every(text => into.has(text))) return;
  for (let row = 0; row < rows; row++) if ((groupOf[row] ?? -1) >= 0) into.add(texts[codes?.[row] ?? 0] ?? '');
}

function columnIn(columns: HourColumns['columns'], name: ColumnName): Column {
  const column = columns.get(name);
  assert(column, `the column ${name} was loaded`);
  return column;
}

/** The values of each group and of all groups together; without a grouping there is one group, calls or none. */
export function rowsOf({ groups, totals }: GroupedCalls, measures: readonly MeasureName[]): { rows: GroupRow[]; total: (number | null)[] } {
  const all = groups.keys.map((keys, group) => ({ keys, counted: totals.of(group) })).filter(({ counted }) => isShown(counted, measures));
  const whole = sumTotals(all.map(({ counted }) => counted));
  const rows = all.map(({ keys, counted }) => ({ keys, values: measures.map(name => valueOf(name, counted)) }));
  const total = measures.map(name => valueOf(name, whole));
  return { rows: rows.length === 0 && groups.isSingle ? [{ keys: [], values: total }] : rows, total };
}

/** Claims that were withdrawn are no calls: a group of these alone is shown only when they are asked for. */
function isShown(counted: Totals, measures: readonly MeasureName[]): boolean {
  return (valueOf('dials', counted) ?? 0) > 0 || (measures.includes('withdrawn') && (valueOf('withdrawn', counted) ?? 0) > 0);
}
