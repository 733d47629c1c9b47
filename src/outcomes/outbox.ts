import { sql } from 'kysely';
import type { OutboxRow } from './outcome-store.ts';
import { systemClock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Database } from '#platform/postgres/database.ts';
import { ids } from '#platform/postgres/values.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

/** The committing instance does the work; after this time others take it over. */
export const OUTBOX_LEASE = sql`interval '10 seconds'`;

/** Limit of rows removed together. */
const MAX_CLEARED = 500;
/** How long finished rows are collected for a common delete, far shorter than their lease, ms. */
const CLEAR_LINGER_MS = 250;

type OutboxMethods = Pick<OutcomeStore, 'takeOutbox' | 'clearOutbox'>;

export function outbox(db: Database): OutboxMethods {
  const cleared = new MicroBatcher<number>({
    maxBatch: MAX_CLEARED,
    linger: leave => systemClock.schedule(CLEAR_LINGER_MS, leave),
    write: async rowIds => void (await db.hot.rows(sql`delete from outbox where id = any(${ids(rowIds)})`)),
  });
  return {
    // Other kinds have their own pumps (campaign-actor-store.ts).
    takeOutbox: (limit, leaseMs) =>
      db.rows(sql<OutboxRow>`
        with due as (
          select id from outbox where kind = 'result_applied' and due_at <= now() order by due_at, id limit ${limit} for update skip locked)
        update outbox o set tries = o.tries + 1, due_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        from due where o.id = due.id returning o.id, o.kind, o.key, o.payload`),
    clearOutbox: async rowIds => {
      await Promise.all(rowIds.map(id => cleared.add(id)));
    },
  };
}
