import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';

/** Tables derived from others or written by background jobs, and counters. */
const UNWATCHED = [
  'contact_search',
  'contact_search_change',
  'contact_search_floor',
  'contact_search_move',
  'number_answers_read',
  'outbox',
  'recording_check',
  'runtime_event',
  'rules_version',
  'webhook_delivery',
  'schedule_run',
  'mikro_orm_migrations',
  'written_change',
];
/** More changes than one request of the fuzzer makes. */
const MAX_CHANGES = 5_000;
/** Columns that the server's background loops update. */
const OWN_COLUMNS = [
  'updated_at',
  'phase',
  'phase_since',
  'phase_reason',
  'phase_cause',
  'phase_refusal',
  'breaker',
  'scriptless',
  'next_wake_at',
  'next_run_at',
  'actor_version',
  'actor_commands',
  'actor_snapshot',
  'lease_token',
  'lease_until',
  'failing_since',
  'failures',
  'last_error',
  'rest_until',
  'last_delivered_at',
];

export interface ChangeWatch {
  /** Changes committed since the last call, newest first, as `UPDATE campaign {…}`. */
  changes(): Promise<string[]>;
}

/**
 * Records every committed change of a row, so that one small query shows whether a request wrote anything.
 *
 * Why: a trigger writes in the watched transaction, so that a rollback leaves no record, unlike the server's statistics
 */
export async function watchChanges(db: Database): Promise<ChangeWatch> {
  await db.run(sql`create table written_change (id bigint generated always as identity primary key, change text not null)`);
  await db.run(
    sql.raw(`create function note_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and to_jsonb(new) - '{${OWN_COLUMNS.join(',')}}'::text[] = to_jsonb(old) - '{${OWN_COLUMNS.join(',')}}'::text[] then return null; end if;
      if tg_table_name = 'campaign' and tg_op = 'UPDATE' and to_jsonb(old) ->> 'status' = 'running' and to_jsonb(new) ->> 'status' = 'completed' then return null; end if;
      -- The watch over callbacks ends those that cannot be kept, and the wait of their contact.
      if tg_table_name = 'callback' and tg_op = 'UPDATE' and to_jsonb(new) ->> 'end_reason' is not null then return null; end if;
      if tg_table_name = 'contact' and tg_op = 'UPDATE' and to_jsonb(old) ->> 'deleted_at' is not null then return null; end if;
      insert into written_change (change)
      values (tg_op || ' ' || tg_table_name || ' ' || left(case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end::text, 300));
      return null;
    end $$`),
  );
  // A partition has the triggers of its table.
  const tables = await db.rows(sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like '%\\_tally' and relname <> all(${UNWATCHED}::text[])`);
  for (const { name } of tables) {
    await db.run(
      sql`create trigger note_change after insert or update or delete on ${sql.id(name)} for each row execute function note_change()`,
    );
  }
  let seen = 0;
  return {
    async changes() {
      const rows = await db.rows(sql<{ id: number; change: string }>`
        select id, change from written_change where id > ${seen} order by id desc limit ${MAX_CHANGES}`);
      seen = rows[0]?.id ?? seen;
      return rows.map(({ change }) => change);
    },
  };
}
