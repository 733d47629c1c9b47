import { sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { texts } from '#platform/postgres/values.ts';

/**
 * Inserts many rows as a restore does: in one transaction without triggers and foreign keys, and with the indexes of the named tables made
 * afterwards.
 *
 * Why: a hundred thousand rows one by one in twenty indexes, each with its triggers, take the database ten times as long
 */
export function loadRows(db: Database, tables: readonly string[], load: (tx: Sql) => Promise<void>): Promise<void> {
  return db.transaction(async tx => {
    await tx.run(sql`set local session_replication_role = replica`);
    const indexes = await plainIndexes(tx, tables);
    for (const { name } of indexes) await tx.run(sql`drop index ${sql.ref(name)}`);
    await load(tx);
    for (const { definition } of indexes) await tx.run(sql.raw(definition));
  });
}

/** Those that no constraint has made. */
function plainIndexes(tx: Sql, tables: readonly string[]): Promise<{ name: string; definition: string }[]> {
  return tx.rows(sql<{ name: string; definition: string }>`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = current_schema and i.tablename = any(${texts(tables)})
      and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`);
}
