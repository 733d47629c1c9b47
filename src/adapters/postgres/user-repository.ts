import { sql } from 'kysely';
import type { User } from '#ports/records.ts';
import type { Credentials, UserStore } from '#ports/user-store.ts';
import type { Database } from './database.ts';

/** Of `pg_advisory_xact_lock`: servers that start at once create one first user. */
const FIRST_USER_LOCK = 7_225_539;

export function userRepository(db: Database): UserStore {
  return {
    find: async id => asCredentials(await db.first(sql<UserRow>`select ${COLUMNS} from app_user where id = ${id} and deleted_at is null`)),
    findByUsername: async username =>
      asCredentials(
        await db.first(sql<UserRow>`select ${COLUMNS} from app_user where lower(username) = lower(${username}) and deleted_at is null`),
      ),
    createFirst: user =>
      db.transaction(async tx => {
        await tx.run(sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`);
        const row = await tx.first(sql<UserRow>`
          insert into app_user (username, display_name, role, password_hash)
          select ${user.username}, ${user.displayName}, ${user.role}, ${user.passwordHash}
          where not exists (select 1 from app_user where deleted_at is null)
          returning ${COLUMNS}`);
        return asCredentials(row)?.user ?? null;
      }),
  };
}

type UserRow = User & { passwordHash: string };

const COLUMNS = sql`id, username, display_name as "displayName", role, is_enabled as "isEnabled", password_hash as "passwordHash",
  created_at as "createdAt", updated_at as "updatedAt"`;

function asCredentials(row: UserRow | undefined): Credentials | null {
  if (!row) return null;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
}
