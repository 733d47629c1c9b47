import { type RawBuilder, sql } from 'kysely';
import { type RuntimeEvent, runtimeEvent } from './runtime-event.ts';
import { inTime, type TimeSpan } from '#platform/postgres/filters.ts';
import { type Table, listOf } from '#platform/postgres/listing.ts';
import { columnsOf } from '#platform/postgres/values.ts';

export const RUNTIME_EVENT_TABLE = {
  columns: columnsOf(runtimeEvent, 'e'),
  from: sql`runtime_event e`,
  id: sql`e.id`,
  exists: sql`true`,
} satisfies Table<unknown>;

/** Filters of the list; an undefined filter does not narrow it. */
export interface RuntimeEventSearch extends TimeSpan {
  /** Any of these levels; an empty list matches all. */
  levels: readonly RuntimeEvent['level'][];
  type?: string | undefined;
  campaignId?: number | undefined;
  cellId?: string | undefined;
  isAcknowledged?: boolean | undefined;
}

/** Source: D10, D14.3 */
export const runtimeEventList = listOf(RUNTIME_EVENT_TABLE, eventMatches);

function eventMatches(search: RuntimeEventSearch): RawBuilder<unknown> {
  const { levels, type, campaignId, cellId, isAcknowledged } = search;
  const given = [
    ...(levels.length === 0 ? [] : [sql`level = any(${[...levels]}::text[])`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(campaignId === undefined ? [] : [sql`campaign_id = ${campaignId}`]),
    ...(cellId === undefined ? [] : [sql`cell_id = ${cellId}`]),
    ...(isAcknowledged === undefined ? [] : [isAcknowledged ? sql`acknowledged_at is not null` : sql`acknowledged_at is null`]),
    ...inTime(sql`runtime_event`, search),
  ];
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}
