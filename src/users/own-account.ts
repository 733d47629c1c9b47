import { randomBytes } from 'node:crypto';
import { serialize } from '@mikro-orm/core';
import type { Passwords } from '#access/passwords.ts';
import { endSessionsOf, findSession, type Session, type SessionsPart } from '#access/sessions.ts';
import { audit, type AuditPart, type AuditStore } from '#audit/audit.ts';
import { type Caller, type Permission, PERMISSION_KEYS, permissionsOf, type Role, systemCaller } from '#kernel/caller.ts';
import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import { normalUserName } from '#kernel/user-name.ts';
import type { Database } from '#platform/postgres/database.ts';
import { proveCredentials } from './login.ts';
import { addFirstUser, findUser, lockUser } from './user-store.ts';
import type { User } from './user.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';

const GENERATED_BYTES = 15;

/**
 * Creates the first administrator when no user exists.
 *
 * Shape:  null when a user exists; `generatedPassword` is shown once and stored nowhere, null when a password is configured
 * Source: OCS 5 rule 3, D1.3
 */
export async function bootstrapAdmin(
  app: { db: Database; audit: AuditStore; passwords: Passwords },
  configured: { username: string; password: string | null },
): Promise<{ username: string; generatedPassword: string | null } | null> {
  const password = configured.password ?? randomBytes(GENERATED_BYTES).toString('base64url');
  const passwordHash = await app.passwords.hash(password);
  const first = {
    username: normalUserName(configured.username),
    displayName: '管理员',
    role: 'admin',
    passwordHash,
    isEnabled: true,
  } as const;
  const user = await addFirstUser(app.db, first);
  if (!user) return null;
  const entry = { action: 'user.created', targetType: 'user', targetId: user.id, summary: `首次启动创建管理员 ${user.username}` } as const;
  await audit(app, systemCaller('startup'), entry);
  return { username: user.username, generatedPassword: configured.password === null ? password : null };
}

/**
 * Replaces the caller's password after checking the old one, and ends all other sessions of the user.
 *
 * Why:    a wrong old password counts as a failed login, so that a stolen session cannot be used to guess passwords
 * Errors: INVALID_ARGUMENT for a wrong old password or an easily guessed new one; RATE_LIMITED after too many failures; CONFLICT while
 *         authentication is off; UNAUTHENTICATED when the session ended meanwhile; CACHE_UNAVAILABLE when the other sessions could not be
 *         ended, in which case the password stays unchanged
 * Source: D3.3
 */
export async function changeOwnPassword(
  app: AuditPart & AccessAuditPart & SessionsPart & CredentialsPart & Pick<Platform, 'db'>,
  caller: Caller,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<User> {
  const { userId, sessionId } = caller;
  if (userId === null || sessionId === null) throw conflict('LOGIN_OFF', '未启用登录，没有可修改的密码');
  const attempt = { username: caller.name, address: caller.ip ?? 'unknown' };
  const proven = await proveCredentials(app, { attempt, password: oldPassword, find: () => findUser(app.db, userId) }, caller);
  if (proven === null) throw invalidArgument('oldPassword', 'wrong');
  if (newPassword === oldPassword) throw invalidArgument('newPassword', 'oldPassword');
  await app.passwords.requireFit({ field: 'newPassword', password: newPassword, username: proven.username });
  const passwordHash = await app.passwords.hash(newPassword);
  const changed = await app.db.transaction(async tx => {
    const user = await lockUser(tx, userId);
    user.passwordHash = passwordHash;
    await tx.em.flush();
    // When an administrator reset the password in between, that reset ended this session and takes precedence.
    if ((await app.sessions.find(sessionId)) === null) throw new CalloutError('UNAUTHENTICATED', '登录已失效，请重新登录');
    await endSessionsOf(app, userId, sessionId);
    return serialize(user);
  });
  await app.loginLimit.forgive(attempt);
  await audit(app, caller, { action: 'user.password_changed', targetType: 'user', targetId: userId, summary: '修改自己的密码' });
  return changed;
}

/** A user as shown to their own session. */
export interface SessionUser {
  /** 0 for the built-in admin of a server without authentication (D3.4). */
  id: number;
  username: string;
  displayName: string;
  role: Role;
}

export interface Me {
  authEnabled: boolean;
  authenticated: boolean;
  user: SessionUser | null;
  permissions: Permission[];
}

export const BUILT_IN_ADMIN: SessionUser = { id: 0, username: 'admin', displayName: '管理员', role: 'admin' };

/**
 * Describes the requester; a request without a session is a valid result, not an error.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D3.4
 */
export async function whoAmI(app: SessionsPart, token: string | null): Promise<Me> {
  if (!app.authEnabled) return { authEnabled: false, authenticated: true, user: BUILT_IN_ADMIN, permissions: [...PERMISSION_KEYS] };
  const session = await findSession(app, token);
  if (!session) return { authEnabled: true, authenticated: false, user: null, permissions: [] };
  return { authEnabled: true, authenticated: true, user: sessionUser(session), permissions: [...permissionsOf(session.role)] };
}

/**
 * Like `whoAmI`, for a caller whose session this request has already looked up.
 *
 * Shape: `user` null without a session; callers are only users and the built-in admin where this is used
 */
export function meOf(caller: Caller | null, authEnabled: boolean): Me {
  if (!caller || caller.role === 'anonymous' || caller.role === 'internal' || caller.role === 'system') {
    return { authEnabled, authenticated: false, user: null, permissions: [] };
  }
  const { userId, name, displayName, role, permissions } = caller;
  const user = { id: userId ?? BUILT_IN_ADMIN.id, username: name, displayName, role };
  return { authEnabled, authenticated: true, user, permissions: [...permissions] };
}

export function sessionUser({ userId, username, displayName, role }: Session): SessionUser {
  return { id: userId, username, displayName, role };
}
