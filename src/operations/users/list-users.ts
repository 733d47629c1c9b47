import { sql } from 'kysely';
import { isFound } from '#adapters/postgres/search.ts';
import { listOf } from '../listing.ts';
import { TABLES } from '../tables.ts';

/** Source: OCS 4.17 */
export const userList = listOf(TABLES.user, ({ q }: { q: string }) => isFound(q, [sql`username`, sql`display_name`]), {
  name: sql`username`,
  updatedAt: sql`updated_at`,
});
