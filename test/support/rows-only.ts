import type { Database } from '#platform/postgres/database.ts';

/** A database that returns these rows for every statement. */
export function rowsOnly(...rows: unknown[]): Database {
  return { rows: async () => rows, first: async () => rows[0] } as unknown as Database;
}
