import { sql } from 'kysely';
import { isFound } from '#adapters/postgres/search.ts';
import { USER_COLUMNS } from '#adapters/postgres/user-repository.ts';
import type { User } from '#model/user.ts';
import { listOf } from '../listing.ts';

/** Source: OCS 4.17 */
export const userList = listOf<User, { q: string }>(
  { columns: USER_COLUMNS, from: sql`app_user`, id: sql`id`, exists: sql`deleted_at is null` },
  ({ q }) => isFound(q, [sql`username`, sql`display_name`]),
);
