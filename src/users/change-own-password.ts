import { serialize } from '@mikro-orm/core';
import type { Database } from '#platform/postgres/database.ts';
import { CalloutError, conflict, invalidArgument } from '#kernel/errors.ts';
import type { User } from './user.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Passwords } from '#access/passwords.ts';
import { type ProofDeps, proveCredentials } from './prove-credentials.ts';
import { endSessionsOf, type SessionDeps } from '#access/sessions.ts';
import { findUser, lockUser } from './user-rows.ts';

export interface ChangeOwnPasswordDeps extends AuditDeps, SessionDeps, ProofDeps {
  db: Database;
  passwords: Passwords;
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
  deps: ChangeOwnPasswordDeps,
  caller: Caller,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<User> {
  const { userId, sessionId } = caller;
  if (userId === null || sessionId === null) throw conflict('LOGIN_OFF', '未启用登录，没有可修改的密码');
  const attempt = { username: caller.name, address: caller.ip ?? 'unknown' };
  const proven = await proveCredentials(deps, { attempt, password: oldPassword, find: () => findUser(deps.db, userId) }, caller);
  if (proven === null) throw invalidArgument('oldPassword', '不正确');
  if (newPassword === oldPassword) throw invalidArgument('newPassword', '不能与原密码相同');
  await deps.passwords.requireFit({ field: 'newPassword', password: newPassword, username: proven.username });
  const passwordHash = await deps.passwords.hash(newPassword);
  const changed = await deps.db.transaction(async tx => {
    const user = await lockUser(tx, userId);
    user.passwordHash = passwordHash;
    await tx.em.flush();
    // When an administrator reset the password in between, that reset ended this session and takes precedence.
    if ((await deps.sessions.find(sessionId)) === null) throw new CalloutError('UNAUTHENTICATED', '登录已失效，请重新登录');
    await endSessionsOf(deps, userId, sessionId);
    return serialize(user);
  });
  await deps.loginLimit.forgive(attempt);
  await audit(deps, caller, { action: 'user.password_changed', targetType: 'user', targetId: userId, summary: '修改自己的密码' });
  return changed;
}
