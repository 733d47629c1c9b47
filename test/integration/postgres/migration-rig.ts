import { afterAll, beforeAll, expect } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { texts } from '#platform/postgres/values.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';

/** A database of the file's own, in which the named migrations run again over old rows. */
export function migrationRig(...names: string[]) {
  let fresh: FreshDatabase;
  let db: Database;
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = await connectDatabase({ url: fresh.url, poolSize: 2, statementTimeoutMs: 60_000 });
    await db.run(sql`delete from mikro_orm_migrations where name = any(${texts(names)})`);
  });
  afterAll(async () => {
    await db.close();
    await fresh.drop();
  });
  return {
    db: () => db,
    /** They alone are pending, and run. */
    migrate: async () => expect(await migrate(fresh.url)).toEqual(names),
  };
}
