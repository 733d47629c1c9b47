import { sql } from 'kysely';
import type { Role } from '#kernel/caller.ts';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { listOf } from '#platform/postgres/listing.ts';
import { USER_TABLE } from './user-rows.ts';

/** Filters of the list; an undefined filter does not narrow it. */
interface UserSearch {
  /** Substring of username or display name; '' matches all. */
  q: string;
  role?: Role | undefined;
  isEnabled?: boolean | undefined;
}

/** Source: OCS 4.17 */
export const userList = listOf(
  USER_TABLE,
  ({ q, role, isEnabled }: UserSearch) =>
    allOf(
      isFound(q, [sql`username`, sql`display_name`]),
      role !== undefined && sql`role = ${role}`,
      isEnabled !== undefined && sql`is_enabled = ${isEnabled}`,
    ),
  { name: sql`username`, updatedAt: sql`updated_at` },
);
