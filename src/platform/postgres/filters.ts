import { type RawBuilder, sql } from 'kysely';
import { instant } from './values.ts';

/** Time range in UTC ms. */
export interface TimeSpan {
  /** Inclusive. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

/** Rows written at almost the same time may have ids in any order: ids within this margin of an instant are not relied on. */
const UNORDERED = sql`interval '10 minutes'`;

/**
 * Conditions of a time range on an append-only table with an index on (created_at, id).
 *
 * Why: ids follow time, so an instant also bounds them, and a page of any filter reads its own index no farther than the requested range
 */
export function inTime(table: RawBuilder<unknown>, { from, to }: TimeSpan): RawBuilder<unknown>[] {
  const beginning =
    from === undefined
      ? []
      : [
          sql`created_at >= ${instant(from)}`,
          sql`id >= (select o.id from ${table} o where o.created_at >= ${instant(from)} - ${UNORDERED} order by o.created_at, o.id limit 1)`,
        ];
  const end =
    to === undefined
      ? []
      : [
          sql`created_at < ${instant(to)}`,
          sql`id <= (select o.id from ${table} o where o.created_at < ${instant(to)} + ${UNORDERED} order by o.created_at desc, o.id desc limit 1)`,
        ];
  return [...beginning, ...end];
}

/**
 * A `like` pattern that finds the text anywhere; `%`, `_` and `\` in the text are escaped.
 *
 * Source: D2.4
 */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whether one of the columns contains the text, ignoring case; an empty text matches everything. */
export function isFound(text: string, columns: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const pattern = anywhere(text);
  return text === ''
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(
        columns.map(column => sql`${column} ilike ${pattern}`),
        sql` or `,
      )})`;
}

/** Conjunction of the conditions; false stands for one that is not requested. */
export function allOf(...conditions: readonly (RawBuilder<unknown> | false)[]): RawBuilder<unknown> {
  const requested = conditions.filter(condition => condition !== false);
  return requested.length === 0 ? sql`true` : sql.join(requested, sql` and `);
}
