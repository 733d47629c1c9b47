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
}

export function emptyCounts({ groupings, numbers }: CompiledQuestion, maxGroups: number): GroupedCalls {
  return { groups: new Groups(groupings.length, maxGroups), totals: new GroupTotals(numbers), maxGroups };
}

/** Counts the calls of an hour. Errors: TooManyGroups */
export function countHour(question: CompiledQuestion, { groups, totals }: GroupedCalls, { hour, rows, columns }: HourColumns): void {
  if (rows === 0) return;
  const column = (name: ColumnName) => columnIn(columns, name);
  const groupOf = new Int32Array(rows);
  if (!groupRows({ hour, rows, column }, question, groups, groupOf)) return;
  const found = groups.keys.length;
  totals.addFates({ rows, groupOf, groups: found }, column('outcome'));
  for (const name of question.numbers.keys()) totals.addNumbers(name, { rows, groupOf, groups: found }, column(name));
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
