import { defineEntity, LockMode, p, raw, serialize } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Role } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { at, stampColumns } from '#platform/postgres/entity-columns.ts';
import { allOf, isFound } from '#platform/postgres/filters.ts';
import { listOf, type Table } from '#platform/postgres/listing.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import { user, type User } from './user.ts';

export const USER_TABLE = {
  columns: columnsOf(user),
  from: sql`app_user`,
  id: sql`id`,
  exists: sql`deleted_at is null`,
} satisfies Table<unknown>;

/** Key of `pg_advisory_xact_lock`: serialises changes of administrators, and lets servers that start together create one first user. */
const USERS_LOCK = 7_225_542;

/** Returns null for an unknown or deleted user. */
export function findUser(db: Database, id: number): Promise<UserEntity | null> {
  return db.read(em => em.findOne(UserEntity, { id, deletedAt: null }));
}

/** Like `findUser`, but waits for a pending update of the same user. */
export function findSettledUser(db: Database, id: number): Promise<UserEntity | null> {
  return db.transaction(({ em }) => em.findOne(UserEntity, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_READ }));
}

/** Ignores letter case. */
export function findUserByName(db: Database, username: string): Promise<UserEntity | null> {
  return db.read(em => em.findOne(UserEntity, { [raw('lower(username) = lower(?)', [username])]: [], deletedAt: null }));
}

/**
 * Locks the user for a change in this transaction.
 *
 * Why:    two concurrent changes could leave no administrator, so changes are serialised
 * Errors: NOT_FOUND
 */
export async function lockUser(tx: Sql, id: number): Promise<UserEntity> {
  await takeTurn(tx);
  const user = await tx.em.findOne(UserEntity, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (user === null) throw notFound('用户');
  return user;
}

export type NewUserRow = Pick<UserEntity, 'username' | 'displayName' | 'role' | 'passwordHash' | 'isEnabled'>;

export async function addUser({ em }: Sql, fields: NewUserRow): Promise<User> {
  const user = em.create(UserEntity, { ...fields, deletedAt: null });
  await em.flush();
  return serialize(user);
}

/** Adds the user only when no user exists; returns null otherwise. */
export function addFirstUser(db: Database, fields: NewUserRow): Promise<User | null> {
  return db.transaction(async tx => {
    await takeTurn(tx);
    return (await tx.em.count(UserEntity, { deletedAt: null })) > 0 ? null : addUser(tx, fields);
  });
}

async function takeTurn(tx: Sql): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${USERS_LOCK})`);
}

const schema = defineEntity({
  name: 'UserEntity',
  tableName: 'app_user',
  properties: {
    id: p.integer().primary().autoincrement(),
    username: p.text(),
    displayName: p.text(),
    role: p.text().$type<Role>(),
    isEnabled: p.boolean(),
    /** PHC text, `$argon2id$…`. */
    passwordHash: p.text().hidden(),
    deletedAt: at().strictNullable().hidden(),
    ...stampColumns(),
  },
});

export class UserEntity extends schema.class {}

schema.setClass(UserEntity);

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
