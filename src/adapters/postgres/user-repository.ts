import { sql } from 'kysely';
import { type User, user } from '#model/user.ts';
import { columnsOf } from './columns-of.ts';
import type { Credentials, NewUser, UserChange, UserStore } from '#ports/user-store.ts';
import type { Database, Sql } from './database.ts';
import { isUniqueViolation } from './failures.ts';

/** Of `pg_advisory_xact_lock`: changes of who may administer take turns, and servers that start at once create one first user. */
const USERS_LOCK = 7_225_542;

export function userRepository(db: Database): UserStore {
  return {
    find: async id => asCredentials(await db.first(sql<UserRow>`select ${COLUMNS} from app_user where id = ${id} and deleted_at is null`)),
    findSettled: async id =>
      asCredentials(await db.first(sql<UserRow>`select ${COLUMNS} from app_user where id = ${id} and deleted_at is null for share`)),
    findByUsername: async username =>
      asCredentials(
        await db.first(sql<UserRow>`select ${COLUMNS} from app_user where lower(username) = lower(${username}) and deleted_at is null`),
      ),
    create: user => createUser(db, user),
    createFirst: user =>
      db.transaction(async tx => {
        await takeTurn(tx);
        const somebody = await tx.first(sql`select 1 from app_user where deleted_at is null limit 1`);
        return somebody ? null : insertUser(tx, user);
      }),
    change: (userId, decide, endSessions) =>
      db.transaction(async tx => {
        await takeTurn(tx);
        const before = await lockUser(tx, userId);
        if (!before) return null;
        const { otherAdmins, ...user } = before;
        const change = decide(user, otherAdmins);
        const after = await writeChange(tx, userId, change);
        if (change.isDeleted) await tx.run(sql`update agent set user_id = null where user_id = ${userId}`);
        if (change.endsSessions) await endSessions();
        return { before: user, after };
      }),
  };
}

type UserRow = User & { passwordHash: string };

export const USER_COLUMNS = columnsOf(user);
const COLUMNS = sql`${USER_COLUMNS}, password_hash`;

async function createUser(db: Database, user: NewUser): Promise<User | 'username_taken'> {
  try {
    return await insertUser(db, user);
  } catch (error) {
    if (isUniqueViolation(error, 'app_user_username')) return 'username_taken';
    throw error;
  }
}

async function insertUser(tx: Sql, user: NewUser): Promise<User> {
  const row = await tx.first(sql<User>`
    insert into app_user (username, display_name, role, password_hash, is_enabled)
    values (${user.username}, ${user.displayName}, ${user.role}, ${user.passwordHash}, ${user.isEnabled}) returning ${USER_COLUMNS}`);
  if (!row) throw new Error('an insert returned no row');
  return row;
}

async function takeTurn(tx: Sql): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${USERS_LOCK})`);
}

function lockUser(tx: Sql, userId: number): Promise<(User & { otherAdmins: number }) | undefined> {
  return tx.first(sql<User & { otherAdmins: number }>`
    select ${USER_COLUMNS}, (select count(*) from app_user o where o.role = 'admin' and o.is_enabled and o.deleted_at is null and o.id <> ${userId}::int) as other_admins
    from app_user where id = ${userId} and deleted_at is null for update`);
}

async function writeChange(tx: Sql, userId: number, change: UserChange): Promise<User> {
  const { displayName = null, role = null, isEnabled = null, passwordHash = null, isDeleted = false } = change;
  const row = await tx.first(sql<User>`
    update app_user set display_name = coalesce(${displayName}, display_name), role = coalesce(${role}, role),
      is_enabled = coalesce(${isEnabled}, is_enabled), password_hash = coalesce(${passwordHash}, password_hash),
      deleted_at = case when ${isDeleted} then now() else deleted_at end
    where id = ${userId} returning ${USER_COLUMNS}`);
  if (!row) throw new Error('an update returned no row');
  return row;
}

function asCredentials(row: UserRow | undefined): Credentials | null {
  if (!row) return null;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
}
