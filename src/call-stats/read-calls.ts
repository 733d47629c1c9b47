import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { instant } from '#platform/postgres/values.ts';
import { joinedParts, selectedColumns } from './column-statements.ts';
import { type Column, numberBuilder, textBuilder } from './decisions/column.ts';
import { type ColumnName, isNumberColumn } from './decisions/columns.ts';

/** A span of time; UTC ms, `to` excluded. */
export interface CallSpan {
  from: number;
  to: number;
}

/** Columns of the calls of an hour, row by row alike. */
export interface CallColumns {
  rows: number;
  columns: Map<ColumnName, Column>;
}

type ReadRow = { hour: number } & Record<string, string | number | null>;

/** Rows that are in memory at once. */
const PAGE = 2_000;

/**
 * Reads calls from the attempts themselves, within a transaction: those of hours that are not sealed, or whose seal is broken.
 *
 * Why:    the hour of a call is that of its claim, by `created_at`, whose block ranges find it; withdrawn claims are read, too. In the order of their
 *         ids, columns of one hour that are read apart fit together
 * Shape:  by the UTC hours of the calls, UTC ms, those without calls left out; null when there are more than `maxCalls`
 */
export async function readCalls(
  tx: Sql,
  spans: readonly CallSpan[],
  names: readonly ColumnName[],
  maxCalls = Number.POSITIVE_INFINITY,
): Promise<Map<number, CallColumns> | null> {
  const hours = new Map<number, HourBuilder>();
  if (spans.length === 0) return new Map();
  await tx.run(openCursor(spans, names));
  for (let left = maxCalls; ; left -= PAGE) {
    const rows = await tx.rows(sql<ReadRow>`fetch forward ${sql.lit(PAGE)} from calls_of_spans`);
    if (rows.length > left) return null;
    for (const row of rows) builderOf(hours, row.hour, names).add(row);
    if (rows.length < PAGE) break;
  }
  await tx.run(sql`close calls_of_spans`);
  return new Map([...hours].map(([hour, builder]) => [hour, builder.finish()]));
}

/** Keys of the result fields for which calls of a span have found something out. */
export async function readFieldKeys(tx: Sql, { from, to }: CallSpan): Promise<string[]> {
  const rows = await tx.rows(sql<{ key: string }>`
    select distinct k.key from attempt a cross join lateral jsonb_object_keys(a.result_fields) as k (key)
    where a.created_at >= ${instant(from)} and a.created_at < ${instant(to)} and a.deleted_at is null and jsonb_typeof(a.result_fields) = 'object' order by 1`);
  return rows.map(({ key }) => key);
}

/**
 * A cursor, so that an hour of many calls is never in memory row by row.
 *
 * Why: ordered by the id alone, the planner would walk the primary key of all calls instead of sorting those of the spans
 */
const openCursor = (spans: readonly CallSpan[], names: readonly ColumnName[]) => sql`
  declare calls_of_spans no scroll cursor for
  select date_trunc('hour', a.created_at, 'UTC') as hour, ${selectedColumns(names)}
  from unnest(${spans.map(({ from }) => from)}::float8[], ${spans.map(({ to }) => to)}::float8[]) as s (begins, ends)
  join lateral (
    select * from attempt a where a.created_at >= to_timestamp(s.begins / 1000) and a.created_at < to_timestamp(s.ends / 1000)
      and a.deleted_at is null) a on true
  ${joinedParts(names)}
  order by a.id + 0`;

interface HourBuilder {
  add(row: ReadRow): void;
  finish(): CallColumns;
}

function builderOf(hours: Map<number, HourBuilder>, hour: number, names: readonly ColumnName[]): HourBuilder {
  const builder = hours.get(hour) ?? hourBuilder(names);
  hours.set(hour, builder);
  return builder;
}

function hourBuilder(names: readonly ColumnName[]): HourBuilder {
  let rows = 0;
  const columns = names.map((name, place) => ({ name, cell: `c${place}`, ...(isNumberColumn(name) ? numbers() : texts()) }));
  return {
    add(row) {
      rows += 1;
      for (const { cell, take } of columns) take(row[cell] ?? null);
    },
    finish: () => ({ rows, columns: new Map(columns.map(({ name, finish }) => [name, finish()])) }),
  };
}

type Cell = string | number | null;

function numbers() {
  const { add, finish } = numberBuilder();
  return { take: (cell: Cell) => add(typeof cell === 'number' ? cell : null), finish };
}

function texts() {
  const { add, finish } = textBuilder();
  return { take: (cell: Cell) => add(cell === null ? '' : String(cell)), finish };
}
