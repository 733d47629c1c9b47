import { sql } from 'kysely';
import type { Database } from '#adapters/postgres/database.ts';

/** Derived from other tables, or written by the server's own sweeps; tallies beside them. */
const UNWATCHED = [
  'contact_search',
  'contact_search_change',
  'contact_search_floor',
  'contact_search_move',
  'outbox',
  'runtime_event',
  'rules_version',
  'mikro_orm_migrations',
  'written_change',
];
/** More than one request of the fuzz writes. */
const MAX_CHANGES = 5_000;
/** What the server's own loops move. */
const OWN_COLUMNS = [
  'updated_at',
  'phase',
  'phase_since',
  'phase_reason',
  'phase_refusal',
  'breaker',
  'scriptless',
  'next_wake_at',
  'actor_version',
  'actor_commands',
  'actor_snapshot',
];

export interface ChangeWatch {
  /** Committed changes since the last call, newest first, as `UPDATE campaign {…}`. */
  changes(): Promise<string[]>;
}

/**
 * Notes every committed change of a row, so that one small question tells whether a request wrote anything.
 *
 * Why: a trigger writes in the transaction that it watches: what is rolled back leaves no note, unlike the server's statistics
 */
export async function watchChanges(db: Database): Promise<ChangeWatch> {
  await db.run(sql`create table written_change (id bigint generated always as identity primary key, change text not null)`);
  await db.run(
    sql.raw(`create function note_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and to_jsonb(new) - '{${OWN_COLUMNS.join(',')}}'::text[] = to_jsonb(old) - '{${OWN_COLUMNS.join(',')}}'::text[] then return null; end if;
      if tg_table_name = 'campaign' and tg_op = 'UPDATE' and to_jsonb(old) ->> 'status' = 'running' and to_jsonb(new) ->> 'status' = 'completed' then return null; end if;
      insert into written_change (change)
      values (tg_op || ' ' || tg_table_name || ' ' || left(case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end::text, 300));
      return null;
    end $$`),
  );
  const tables = await db.rows(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%\\_tally' and tablename <> all(${UNWATCHED}::text[])`);
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
