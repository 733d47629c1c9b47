import { serialize } from '@mikro-orm/core';
import { CalloutError } from '#kernel/errors.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { User } from './user.ts';
import type { Session, SessionStore } from '#access/sessions.ts';
import { anonymousCaller, type CallerOrigin, type Permission, permissionsOf } from '#kernel/caller.ts';
import { normalUserName } from '#kernel/user-name.ts';
import type { Platform } from '#platform/platform.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import { type ProofDeps, proveCredentials } from './prove-credentials.ts';
import { newToken } from '#access/tokens.ts';
import { findSettledUser, findUserByName, type UserEntity } from './user-rows.ts';

/** Source: D3.2 */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

export interface LoginDeps extends AuditDeps, ProofDeps, Pick<Platform, 'clock'> {
  db: Database;
  sessions: SessionStore;
}

export interface LoginResult {
  token: string;
  /** UTC ms. */
  expiresAt: number;
  user: User;
  permissions: readonly Permission[];
}

/**
 * Opens a session.
 *
 * Why:    failures are audited only while the limit still counts them, plus once when blocking starts, so that a flood cannot fill the
 *         audit log
 *
 * Errors: UNAUTHENTICATED, identical for an unknown user, a disabled user and a wrong password; RATE_LIMITED after too many failures
 * Source: OCS 2.4, 4.2; D3.2, D3.3, D3.7
 */
export async function login(deps: LoginDeps, input: { username: string; password: string }, origin: CallerOrigin): Promise<LoginResult> {
  const attempt = { username: input.username, address: origin.ip ?? 'unknown' };
  // The name as typed is looked up first: an existing account may have a name that is not in normal form.
  const find = async () =>
    (await findUserByName(deps.db, input.username)) ?? (await findUserByName(deps.db, normalUserName(input.username)));
  const proven = await proveCredentials(deps, { attempt, password: input.password, find }, origin);
  if (proven === null) throw wrongCredentials();
  const result = await openSession(deps, proven);
  await auditLogin(deps, result.user, origin);
  await deps.loginLimit.forgive(attempt);
  return result;
}

async function openSession(deps: LoginDeps, user: UserEntity): Promise<LoginResult> {
  const { token, sessionId } = newToken();
  const expiresAt = deps.clock.now() + SESSION_LIFETIME_MS;
  const session: Session = {
    sessionId,
    userId: user.id,
    username: user.username,
    displayName: user.displayName,
    role: user.role,
    expiresAt,
  };
  await deps.sessions.create(session, SESSION_LIFETIME_MS);
  // A concurrent change of the user may have ended all sessions just before this one existed, so the user is checked again.
  const now = await findSettledUser(deps.db, user.id);
  if (!now?.isEnabled || now.role !== user.role || now.passwordHash !== user.passwordHash) {
    await deps.sessions.remove(session);
    throw wrongCredentials();
  }
  return { token, expiresAt, user: serialize(now), permissions: permissionsOf(user.role) };
}

function auditLogin(deps: LoginDeps, { id, username }: User, origin: CallerOrigin): Promise<void> {
  const caller = { ...anonymousCaller(origin), userId: id, name: username };
  return audit(deps, caller, { action: 'user.logged_in', targetType: 'user', targetId: id, summary: '登录' });
}

function wrongCredentials(): CalloutError {
  return new CalloutError('UNAUTHENTICATED', '用户名或密码错误');
}
