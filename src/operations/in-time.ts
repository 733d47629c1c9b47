import { type RawBuilder, sql } from 'kysely';
import { instant } from '#adapters/postgres/values.ts';

/** UTC ms. */
export interface TimeSpan {
  /** Inclusive. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

/** Rows that were written at the same time stand in any order: this much beside an instant its ids are not relied on. */
const UNORDERED = sql`interval '10 minutes'`;

/**
 * Conditions on the rows of a table that only grows and has an index of (created_at, id).
 *
 * Why: ids follow the time, so an instant bounds them, and a page of any filter goes through its own index no farther than the times asked for
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
