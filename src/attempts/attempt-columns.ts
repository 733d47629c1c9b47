import { sql } from 'kysely';
import { type Attempt, attempt } from './attempt.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import { RESULT_MISSING } from './result-missing.ts';
import type { Table } from '#platform/postgres/listing.ts';

/** Columns of an attempt, named as in the record `Attempt`; the table's alias is `a`. Source: D7.9 */
export const ATTEMPT_COLUMNS = sql<Attempt>`
  ${columnsOf(attempt.omit({ reportedTimes: true, resultMissing: true }), 'a')},
  '{"startedAt": null, "answeredAt": null, "endedAt": null, "durationSeconds": null}'::jsonb || a.reported_times as reported_times, (${RESULT_MISSING}) as result_missing`;

export const ATTEMPT_TABLE = {
  columns: ATTEMPT_COLUMNS,
  from: sql`attempt a`,
  id: sql`a.id`,
  exists: sql`a.deleted_at is null`,
} satisfies Table<unknown>;
