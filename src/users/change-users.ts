import { problem } from '#kernel/problem.ts';
import { raw, serialize } from '@mikro-orm/core';
import type { Sql } from '#platform/postgres/database.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import { conflict, invalidInput } from '#kernel/errors.ts';
import { overlay } from '#kernel/json.ts';
import type { User, UserChanges, UserInput } from './user.ts';
import { MAX_USERNAME_LENGTH, normalUserName, userNameProblem } from '#kernel/user-name.ts';
import { audit, auditChange, type AuditPart, changeOf, masked } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { endSessionsOf, type SessionsPart } from '#access/sessions.ts';
import { addUser, findUser, lockUser, type NewUserRow, UserEntity } from './user-store.ts';
import { prepareSignOff } from '#agents/status.ts';
import { AgentEntity } from '#agents/agent-store.ts';
import type { AgentsPart } from '#agents/agent-directory.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';

type UsersApp = AuditPart &
  SessionsPart &
  CredentialsPart &
  Pick<AgentsPart, 'agents' | 'agentHost'> &
  Pick<Platform, 'db' | 'clock' | 'ids'>;

/**
 * Errors: INVALID_ARGUMENT for a misleading name or an easily guessed password; CONFLICT when the name is taken, ignoring case; RATE_LIMITED when
 *         too many passwords are being hashed
 * Source: OCS 4.17, D3.3
 */
export async function createUser(app: UsersApp, caller: Caller, input: UserInput): Promise<User> {
  const row = await newUserRow(app, input);
  const user = await app.db.transaction(tx => addNewUser(tx, row));
  await auditNewUser(app, caller, user);
  return user;
}

/** Row of a new user, made before the transaction because hashing a password takes long. Errors: those of `createUser`, but CONFLICT */
export async function newUserRow(app: CredentialsPart, input: UserInput): Promise<NewUserRow> {
  const { role, isEnabled = true, password } = input;
  const username = requireUserName(input.username);
  const passwordHash = await hashFit(app, username, password);
  return { username, displayName: input.displayName || username, role, isEnabled, passwordHash };
}

/** The part of `createUser` that belongs to a transaction; `auditNewUser` follows it. Errors: CONFLICT when the name is taken */
export function addNewUser(tx: Sql, row: NewUserRow): Promise<User> {
  const taken = () => conflict('USERNAME_TAKEN', `用户名 ${row.username} 已存在`, 'username');
  return unlessTaken('app_user_username', taken, () => addUser(tx, row));
}

export function auditNewUser(app: AuditPart, caller: Caller, { id: targetId, username, role, isEnabled }: User): Promise<void> {
  const detail = { role, isEnabled };
  return audit(app, caller, { action: 'user.created', targetType: 'user', targetId, summary: `新建用户 ${username}`, detail });
}

/**
 * Edits a user. A new role, a new password and disabling end all sessions of the user; the agent of a disabled user goes offline.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT for an easily guessed password; CONFLICT when no enabled administrator would be left; CACHE_UNAVAILABLE
 *         when sessions could not be ended, in which case nothing changes
 * Source: OCS 4.17, D3.2, D12.1
 */
export async function updateUser(app: UsersApp, caller: Caller, userId: number, changes: UserChanges): Promise<User> {
  const { password, ...fields } = changes;
  const isReset = password !== undefined;
  const passwordHash = isReset ? await hashFit(app, (await findUser(app.db, userId))?.username ?? '', password) : undefined;
  const signOff = changes.isEnabled === false ? await prepareSignOff(app, userId) : undefined;
  const { before, after } = await app.db.transaction(async tx => {
    const user = await lockUser(tx, userId);
    const before = serialize(user);
    const { role, isEnabled, ...names } = overlay<User>(before, fields);
    await requireAdminLeft(tx, user, role === 'admin' && isEnabled);
    tx.em.assign(user, { ...names, role, isEnabled, passwordHash: passwordHash ?? user.passwordHash });
    await tx.em.flush();
    if (isReset || role !== before.role || (before.isEnabled && !isEnabled)) {
      await endSessionsOf(app, userId);
      await signOff?.();
    }
    return { before, after: serialize(user) };
  });
  const entry = { action: 'user.updated', targetType: 'user', targetId: userId, summary: `修改用户 ${after.username}` } as const;
  const change = changeOf({ ...before, password: masked(true) }, { ...after, password: masked(true, isReset) });
  await auditChange(app, caller, entry, change);
  return after;
}

/**
 * Hides a user permanently and ends their sessions; past actions keep their name. Their agent goes offline and is unbound for another user.
 *
 * Errors: NOT_FOUND; CONFLICT for the caller's own user and for the last administrator; CACHE_UNAVAILABLE when sessions could not be ended, in
 *         which case nothing changes
 * Source: OCS 4.17, D3.2, D12.1
 */
export async function deleteUser(app: UsersApp, caller: Caller, userId: number): Promise<User> {
  if (caller.userId === userId) throw conflict('OWN_USER', '不能删除自己');
  const signOff = await prepareSignOff(app, userId);
  const user = await app.db.transaction(async tx => {
    const user = await lockUser(tx, userId);
    await requireAdminLeft(tx, user, false);
    user.deletedAt = raw<number>('now()');
    await tx.em.flush();
    await tx.em.nativeUpdate(AgentEntity, { userId }, { userId: null });
    await endSessionsOf(app, userId);
    await signOff();
    return serialize(user);
  });
  await audit(app, caller, {
    action: 'user.deleted',
    targetType: 'user',
    targetId: userId,
    summary: `删除用户 ${user.username}`,
    detail: { role: user.role },
  });
  return user;
}

/** D3.3 limits usernames; the length is checked again because NFKC may lengthen a name. */
function requireUserName(typed: string): string {
  const username = normalUserName(typed);
  const found =
    username.length > MAX_USERNAME_LENGTH ? problem('charactersAtMost', { max: MAX_USERNAME_LENGTH }) : userNameProblem(username);
  if (found !== null) throw invalidInput([{ field: 'username', problem: found }]);
  return username;
}

async function hashFit({ passwords }: Pick<UsersApp, 'passwords'>, username: string, password: string): Promise<string> {
  await passwords.requireFit({ field: 'password', password, username });
  return passwords.hash(password);
}

/** Refuses to remove the last enabled administrator. Source: OCS 4.17 "the last admin" */
async function requireAdminLeft({ em }: Sql, user: UserEntity, staysAdmin: boolean): Promise<void> {
  if (user.role !== 'admin' || !user.isEnabled || staysAdmin) return;
  const others = await em.count(UserEntity, { role: 'admin', isEnabled: true, deletedAt: null, id: { $ne: user.id } });
  if (others === 0) throw conflict('LAST_ADMIN', '不能删除、停用或降级最后一个管理员');
}
