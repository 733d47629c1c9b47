import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { instant, texts } from '#platform/postgres/values.ts';
import { codesOf, type Column, storedColumn } from './decisions/column.ts';
import type { ColumnName } from './decisions/columns.ts';
import type { CallColumns } from './read-calls.ts';

/** An hour with calls: sealed, unless its seal is broken by a later change. `hour` UTC ms. */
export interface HourState {
  hour: number;
  /** Null when the hour was never sealed. */
  version: number | null;
  rows: number;
  /** The changes since it was sealed, by their number and the latest of them; null without any. */
  change: string | null;
}

/** Hours from `from` and before `to` are sealed, those without calls too; UTC ms. */
export interface SealedRange {
  from: number;
  to: number;
}

/** Reads the sealed range; null before the first hour is sealed. */
export async function readSealedRange(db: Sql): Promise<SealedRange | null> {
  return (await db.first(sql<SealedRange>`select from_hour as "from", to_hour as "to" from call_block_range`)) ?? null;
}

/** Reads the hours of a range that have calls or were changed since they were sealed, oldest first. */
export function readHours(db: Sql, { from, to }: SealedRange): Promise<HourState[]> {
  const within = sql`hour >= ${instant(from)} and hour < ${instant(to)}`;
  return db.rows(sql<HourState>`
    select coalesce(h.hour, s.hour) as hour, h.version, coalesce(h.rows, 0) as rows, s.change
    from (select * from call_block_hour where ${within}) h
    full join (select hour, count(*) || '.' || max(id) as change from call_block_stale where ${within} group by hour) s on s.hour = h.hour
    order by 1`);
}

interface BlockRow {
  hour: number;
  name: ColumnName;
  width: number;
  dictionary: string[] | null;
  data: string;
}

/** Reads columns of sealed hours; UTC ms. */
export async function readBlocks(
  db: Sql,
  hours: readonly number[],
  names: readonly ColumnName[],
): Promise<Map<number, Map<ColumnName, Column>>> {
  const rows = await db.rows(sql<BlockRow>`
    select b.hour, b.name, b.width, b.dictionary, encode(b.data, 'base64') as data from call_block b
    where b.hour = any(array(select to_timestamp(at / 1000) from unnest(${hours}::float8[]) as at)) and b.name = any(${texts(names)})`);
  const found = new Map<number, Map<ColumnName, Column>>();
  for (const { hour, name, width, dictionary, data } of rows) {
    const columns = found.get(hour) ?? new Map<ColumnName, Column>();
    columns.set(name, { codes: codesOf({ width, data: Buffer.from(data, 'base64') }), dictionary });
    found.set(hour, columns);
  }
  for (const columns of found.values()) for (const name of names) if (!columns.has(name)) columns.set(name, NO_VALUES);
  return found;
}

/** A field for which no call of the hour has a value, or a column that came when the hour was sealed: a migration that adds one whose values matter unseals. */
const NO_VALUES: Column = { codes: null, dictionary: [''] };

/** Replaces the columns of an hour; one without calls keeps none. */
export async function writeBlocks(tx: Sql, hour: number, { rows, columns }: CallColumns): Promise<void> {
  await tx.run(sql`delete from call_block where hour = ${instant(hour)}`);
  await tx.run(sql`delete from call_block_hour where hour = ${instant(hour)}`);
  if (rows === 0) return;
  await tx.run(sql`insert into call_block_hour (hour, rows) values (${instant(hour)}, ${rows})`);
  const values = [...columns].map(([name, column]) => {
    const { width, data } = storedColumn(column);
    const dictionary = column.dictionary === null ? null : JSON.stringify(column.dictionary);
    return sql`(${instant(hour)}, ${name}, ${width}::smallint, ${dictionary}::jsonb, ${Buffer.from(data)}::bytea)`;
  });
  await tx.run(sql`insert into call_block (hour, name, width, dictionary, data) values ${sql.join(values)}`);
}
