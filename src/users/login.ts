import { serialize } from '@mikro-orm/core';
import type { LoginTry, CredentialsPart } from '#access/login-limit.ts';
import type { Session, SessionsPart } from '#access/sessions.ts';
import { newToken } from '#access/tokens.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { anonymousCaller, type CallerOrigin, type Permission, permissionsOf } from '#kernel/caller.ts';
import { CalloutError } from '#kernel/errors.ts';
import { networkOf } from '#kernel/network.ts';
import { normalUserName } from '#kernel/user-name.ts';
import type { Platform } from '#platform/platform.ts';
import { findSettledUser, findUserByName, type UserEntity } from './user-store.ts';
import type { User } from './user.ts';

interface Proof {
  attempt: LoginTry;
  password: string;
  /** Finds the user that the password should belong to. */
  find: () => Promise<UserEntity | null>;
}

/**
 * Returns the user who proved their password; null for a wrong password, an unknown or a disabled user, in indistinguishable time.
 *
 * Why:    failures are audited only while the limit still counts them, plus once when blocking starts, so that a flood cannot fill the
 *         audit log
 * Errors: RATE_LIMITED after too many failures
 * Source: D3.3, D3.7
 */
export async function proveCredentials(
  app: AccessAuditPart & CredentialsPart,
  proof: Proof,
  origin: CallerOrigin,
): Promise<UserEntity | null> {
  // A blocked client does not queue; it is checked again in its turn, because others of its attempts may have failed meanwhile.
  await requireNotBlocked(app, proof.attempt);
  return app.passwords.inTurn(networkOf(proof.attempt.address), () => prove(app, proof, origin));
}

async function prove(
  app: AccessAuditPart & CredentialsPart,
  { attempt, password, find }: Proof,
  origin: CallerOrigin,
): Promise<UserEntity | null> {
  await requireNotBlocked(app, attempt);
  const found = await find();
  const matches = await app.passwords.verify(password, found?.passwordHash ?? null);
  if (found?.isEnabled && matches) return found;
  await app.loginLimit.recordFailure(attempt);
  await auditFailure(app, attempt, origin, found?.id ?? null);
  return null;
}

async function requireNotBlocked(app: Pick<CredentialsPart, 'loginLimit'>, attempt: LoginTry): Promise<void> {
  const retryAfterSeconds = await app.loginLimit.blockedForSeconds(attempt);
  if (retryAfterSeconds !== null) throw new CalloutError('RATE_LIMITED', '登录失败次数过多，请稍后重试', { retryAfterSeconds });
}

/** Most characters kept of an attempted username: it may be a password typed into the wrong field, or anything else. */
const MAX_TRIED_NAME = 64;

async function auditFailure(
  app: AccessAuditPart & Pick<CredentialsPart, 'loginLimit'>,
  attempt: LoginTry,
  origin: CallerOrigin,
  userId: number | null,
): Promise<void> {
  const caller = anonymousCaller(origin);
  const username = attempt.username.slice(0, MAX_TRIED_NAME).toWellFormed();
  const failed = { action: 'login.failed', targetType: 'user', targetId: userId, summary: '登录失败', detail: { username } } as const;
  await app.accessAudit.note(caller, failed);
  const blockedSeconds = await app.loginLimit.blockedForSeconds(attempt);
  if (blockedSeconds === null) return;
  await app.accessAudit.read(caller, {
    action: 'login.blocked',
    targetType: 'address',
    targetId: networkOf(attempt.address),
    summary: '登录失败次数过多，暂停登录',
    detail: { username, blockedSeconds },
  });
}

/** Source: D3.2 */
const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

interface LoginResult {
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
export async function login(
  app: AuditPart & AccessAuditPart & SessionsPart & CredentialsPart & Pick<Platform, 'db' | 'clock'>,
  input: { username: string; password: string },
  origin: CallerOrigin,
): Promise<LoginResult> {
  const attempt = { username: input.username, address: origin.ip ?? 'unknown' };
  // The name as typed is looked up first: an existing account may have a name that is not in normal form.
  const find = async () => (await findUserByName(app.db, input.username)) ?? (await findUserByName(app.db, normalUserName(input.username)));
  const proven = await proveCredentials(app, { attempt, password: input.password, find }, origin);
  if (proven === null) throw wrongCredentials();
  const result = await openSession(app, proven);
  await auditLogin(app, result.user, origin);
  await app.loginLimit.forgive(attempt);
  return result;
}

async function openSession(app: Pick<SessionsPart, 'sessions'> & Pick<Platform, 'db' | 'clock'>, user: UserEntity): Promise<LoginResult> {
  const { token, sessionId } = newToken();
  const expiresAt = app.clock.now() + SESSION_LIFETIME_MS;
  const session: Session = {
    sessionId,
    userId: user.id,
    username: user.username,
    displayName: user.displayName,
    role: user.role,
    expiresAt,
  };
  await app.sessions.create(session, SESSION_LIFETIME_MS);
  // A concurrent change of the user may have ended all sessions just before this one existed, so the user is checked again.
  const now = await findSettledUser(app.db, user.id);
  if (!now?.isEnabled || now.role !== user.role || now.passwordHash !== user.passwordHash) {
    await app.sessions.remove(session);
    throw wrongCredentials();
  }
  return { token, expiresAt, user: serialize(now), permissions: permissionsOf(user.role) };
}

function auditLogin(
  app: AuditPart & AccessAuditPart & SessionsPart & CredentialsPart & Pick<Platform, 'db' | 'clock'>,
  { id, username }: User,
  origin: CallerOrigin,
): Promise<void> {
  const caller = { ...anonymousCaller(origin), userId: id, name: username };
  return audit(app, caller, { action: 'user.logged_in', targetType: 'user', targetId: id, summary: '登录' });
}

function wrongCredentials(): CalloutError {
  return new CalloutError('UNAUTHENTICATED', '用户名或密码错误');
}
