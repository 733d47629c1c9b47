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
