import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { JsonValue } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { ids, instant } from '#platform/postgres/values.ts';
import type { ExportSource } from './sources/export-source.ts';

/** Rows written at almost the same time may have ids in any order, in ms. */
const UNORDERED_MS = 10 * 60_000;
/** Longest that counting may take: a bar without its end is better than a wait. */
const MAX_COUNT_MS = 3_000;

/** Position of a walk over ids: those above `after`, up to and including `upTo`, are still to be read. */
export const walk = z.object({
  after: z.int(),
  upTo: z.int(),
  /** Width of the next range of ids. */
  width: z.int(),
});

export type Walk = z.output<typeof walk>;

/** Narrowest and widest range of ids that one statement looks through: where few rows match, it widens. */
const MIN_WIDTH = 100_000;
const MAX_WIDTH = 3_000_000;

/** The ids between which all matching rows are; rows that are added later are not read. */
export async function beginWalk(db: Sql, { table, createdFrom }: Pick<ExportSource, 'table' | 'createdFrom'>): Promise<Walk> {
  const found = await db.first(sql<{ first: number; last: number }>`
    select coalesce((select id from ${table} order by id limit 1), 0) as first, coalesce((select id from ${table} order by id desc limit 1), 0) as last`);
  const { first = 0, last = 0 } = found ?? {};
  const begin = createdFrom === undefined ? first : await firstIdAt(db, { table, at: createdFrom - UNORDERED_MS, first, last });
  return { after: begin - 1, upTo: last, width: MIN_WIDTH };
}

interface Search {
  table: RawBuilder<unknown>;
  at: number;
  first: number;
  last: number;
}

/** Bisects by the ids, which follow time: no index finds the first row of an instant in every table. */
async function firstIdAt(db: Sql, { table, at, first, last }: Search): Promise<number> {
  let [low, high] = [first, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await db.first(sql<{ id: number; isLater: boolean }>`
      select id, created_at >= ${instant(at)} as is_later from ${table} where id >= ${middle}::bigint order by id limit 1`);
    if (row === undefined || row.isLater) high = middle;
    else low = row.id + 1;
  }
  return low;
}

/** Number of matching ids; null when counting takes too long. */
export async function countIds(
  db: { transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> },
  total: RawBuilder<number>,
): Promise<number | null> {
  try {
    return await db.transaction(async tx => {
      await tx.run(sql`set local statement_timeout = ${sql.lit(MAX_COUNT_MS)}`);
      return (await tx.first(sql<{ total: number }>`select ${total} as total`))?.total ?? 0;
    });
  } catch {
    return null;
  }
}

export interface Slice {
  rows: JsonValue[][];
  /** Ids that were read. */
  ids: number;
  next: Walk;
}

/**
 * Reads the rows of the next ids, at most `limit`.
 *
 * Why: a row comes as one JSON text, which takes a tenth of the work of a record; all rows as one text would take large buffers instead
 */
export async function readSlice(
  db: Sql,
  source: ExportSource,
  values: readonly RawBuilder<unknown>[],
  at: Walk & { limit: number },
): Promise<Slice> {
  const end = Math.min(at.upTo, at.after + at.width);
  const found = (await db.rows(source.chosen({ after: at.after, upTo: end, limit: at.limit }))).map(({ id }) => id);
  const rows = found.length === 0 ? [] : await db.rows(rowsOf(source, values, found));
  const isFull = found.length >= at.limit;
  const next = { after: isFull ? (found.at(-1) ?? end) : end, upTo: at.upTo, width: isFull ? at.width : Math.min(at.width * 2, MAX_WIDTH) };
  return { rows: rows.map(({ cells }) => cells), ids: found.length, next };
}

function rowsOf(
  { from, order }: ExportSource,
  values: readonly RawBuilder<unknown>[],
  found: readonly number[],
): RawBuilder<{ cells: JsonValue[] }> {
  return sql<{ cells: JsonValue[] }>`
    with chosen as (select unnest(${ids(found)}) as id)
    select json_build_array(${sql.join(values)}) as cells from ${from} order by ${order}`;
}
