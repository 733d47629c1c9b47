import { MS_PER_DAY, offsetMsAt } from '#kernel/calendar.ts';
import { keysOf } from '#kernel/typed.ts';
import type { CallStatsFilter, CallStatsQuestion } from '../call-stat.ts';
import { type ColumnName, fieldColumn, type NumberColumn } from './columns.ts';
import {
  columnOf,
  type Dimension,
  type FactDimension,
  FILTERS,
  isOwnerDimension,
  isTimeDimension,
  type OwnerDimension,
} from './dimensions.ts';
import type { RowFilter, RowGrouping } from './group-rows.ts';
import { timeKeyOf, MS_PER_QUARTER, type TimeDimension } from './time-keys.ts';
import { numbersFor } from './totals.ts';

/** Owners by today's assignment: the business of each campaign, the group of each agent. */
export type OwnersOf = Partial<Record<OwnerDimension, ReadonlyMap<string, string>>>;

/** A question in terms of columns. */
export interface CompiledQuestion {
  filters: readonly RowFilter[];
  groupings: readonly RowGrouping[];
  numbers: ReadonlyMap<NumberColumn, { hasPercentiles: boolean }>;
  /** Every column that is read. */
  columns: readonly ColumnName[];
}

/** Units: UTC ms */
type Asked = Pick<CallStatsQuestion, 'filter' | 'groupBy' | 'groupFields' | 'measures' | 'from' | 'to'> & { timeZone: string };

export function compileQuestion(asked: Asked, owners: OwnersOf): CompiledQuestion {
  const filters = [...keysOf(FILTERS).flatMap(member => filterOf(member, asked.filter, owners)), ...fieldFilters(asked.filter)];
  const keys = asked.groupFields.values();
  const groupings = asked.groupBy.map(dimension =>
    dimension === 'result_field' ? fieldGrouping(keys.next().value ?? '') : groupingOf(dimension, asked, owners),
  );
  const numbers = numbersFor(asked.measures);
  const texts = [...filters, ...groupings].flatMap(({ column }) => column ?? []);
  const currency: ColumnName[] = numbers.has('cost') ? ['currency'] : [];
  return { filters, groupings, numbers, columns: [...new Set<ColumnName>(['outcome', ...texts, ...numbers.keys(), ...currency])] };
}

/** The dimensions of a question whose values are looked up today. */
export function ownersAsked({ filter, groupBy }: Pick<Asked, 'filter' | 'groupBy'>): OwnerDimension[] {
  const filtered = keysOf(FILTERS).flatMap(member => (filter[member] === undefined ? [] : [FILTERS[member]]));
  const asked: Dimension[] = [...filtered, ...groupBy];
  return [...new Set(asked.filter(isOwnerDimension))];
}

function filterOf(member: keyof typeof FILTERS, filter: CallStatsFilter, owners: OwnersOf): RowFilter[] {
  const wanted = filter[member];
  if (wanted === undefined) return [];
  const dimension = FILTERS[member];
  const [values, valueOf] = [new Set(wanted.map(String)), valueIn(dimension, owners)];
  return [{ column: columnOf(dimension), accepts: value => values.has(valueOf(value)) }];
}

function fieldFilters({ resultFields = [] }: CallStatsFilter): RowFilter[] {
  return resultFields.map(({ key, values }) => {
    const wanted = new Set(values);
    return { column: fieldColumn(key), accepts: value => wanted.has(value) };
  });
}

function fieldGrouping(key: string): RowGrouping {
  return { column: fieldColumn(key), keyOf: value => value };
}

/** Makes the value of a dimension of the value of its column. */
function valueIn(dimension: FactDimension, owners: OwnersOf): (value: string) => string {
  if (!isOwnerDimension(dimension)) return value => value;
  const known = owners[dimension];
  return value => known?.get(value) ?? '';
}

function groupingOf(dimension: Exclude<Dimension, 'result_field'>, asked: Asked, owners: OwnersOf): RowGrouping {
  if (isTimeDimension(dimension)) return timeGrouping(dimension, asked);
  const valueOf = valueIn(dimension, owners);
  return { column: columnOf(dimension), keyOf: valueOf };
}

function timeGrouping(dimension: TimeDimension, { timeZone, from, to }: Asked): RowGrouping {
  const column = hasBrokenHours(timeZone, from, to) ? 'quarter' : null;
  return { column, keyOf: (quarter, hour) => timeKeyOf(dimension, timeZone, hour + Number(quarter) * MS_PER_QUARTER) };
}

/** Whether the hours of a zone are not those of UTC on some day of a range. */
function hasBrokenHours(zone: string, from: number, to: number): boolean {
  for (let at = from; at < to + MS_PER_DAY; at += MS_PER_DAY) if (offsetMsAt(zone, Math.min(at, to)) % 3_600_000 !== 0) return true;
  return false;
}

/** A group with its values in the order of the measures. */
export interface GroupRow {
  keys: readonly string[];
  values: readonly (number | null)[];
}

/** Sorts groups by the requested measure; by key when the query names none, and between equal values. */
export function orderedRows(rows: readonly GroupRow[], { orderBy, measures }: Pick<CallStatsQuestion, 'orderBy' | 'measures'>): GroupRow[] {
  if (orderBy === undefined) return rows.toSorted(byKeys);
  const place = measures.indexOf(orderBy.measure);
  const sign = orderBy.direction === 'desc' ? -1 : 1;
  return rows.toSorted((one, other) => byValue(one.values[place] ?? null, other.values[place] ?? null, sign) || byKeys(one, other));
}

/** A group without a value comes last, whatever the direction. */
function byValue(one: number | null, other: number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return (one - other) * sign;
}

function byKeys({ keys: one }: GroupRow, { keys: other }: GroupRow): number {
  const place = one.findIndex((key, index) => key !== other[index]);
  return place === -1 ? 0 : compareKeys(one[place] ?? '', other[place] ?? '');
}

/** Row ids are compared as numbers, other keys as texts. */
function compareKeys(one: string, other: string): number {
  const areNumbers = /^\d{1,15}$/.test(one) && /^\d{1,15}$/.test(other);
  if (areNumbers && Number(one) !== Number(other)) return Number(one) - Number(other);
  return one < other ? -1 : 1;
}
