import { sql } from 'kysely';
import type { DialStore, OutboxRow } from '#ports/dial-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { Database, Sql } from '#adapters/postgres/database.ts';
import { ids, json } from '#adapters/postgres/values.ts';

/** Who commits also does the work; others take it over after this, ms. */
const FIRST_LEASE_MS = 10_000;

/** Adds what must still happen outside PostgreSQL to the transaction; returns its id. */
export async function addToOutbox(tx: Sql, kind: OutboxRow['kind'], key: string, payload: JsonObject): Promise<number> {
  const row = await tx.first(sql<{ id: number }>`
    insert into outbox (kind, key, payload, due_at)
    values (${kind}, ${key}, ${json(payload)}, now() + ${FIRST_LEASE_MS} * interval '1 millisecond') returning id`);
  if (!row) throw new Error('insert returned no row');
  return row.id;
}

type OutboxMethods = Pick<DialStore, 'takeOutbox' | 'clearOutbox'>;

export function outbox(db: Database): OutboxMethods {
  return {
    // Other kinds are other pumps' (campaign-actor-store.ts).
    takeOutbox: (limit, leaseMs) =>
      db.rows(sql<OutboxRow>`
        with due as (
          select id from outbox where kind = 'result_applied' and due_at <= now() order by due_at, id limit ${limit} for update skip locked)
        update outbox o set tries = o.tries + 1, due_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        from due where o.id = due.id returning o.id, o.kind, o.key, o.payload`),
    clearOutbox: async rowIds => {
      await db.run(sql`delete from outbox where id = any(${ids(rowIds)})`);
    },
  };
}
