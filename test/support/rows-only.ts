import type { Sql } from '#adapters/postgres/database.ts';

/** A database that answers each statement with these rows. */
export function rowsOnly(...rows: unknown[]): Sql {
  return { rows: async () => rows, first: async () => rows[0] } as unknown as Sql;
}
