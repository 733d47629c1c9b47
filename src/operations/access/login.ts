import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { LoginLimit, LoginTry } from '#ports/login-limit.ts';
import type { User } from '#ports/records.ts';
import type { Session, SessionStore } from '#ports/session-store.ts';
import type { Credentials, UserStore } from '#ports/user-store.ts';
import { type Permission, permissionsOf } from '#rules/permissions.ts';
import { networkOf } from '#kernel/network.ts';
import type { AccessAuditDeps } from './access-audit.ts';
import { type AuditDeps, audit } from './audit.ts';
import { anonymousCaller, type CallerOrigin } from './caller.ts';
import type { Passwords } from './password.ts';
import { newToken } from './token.ts';

/** Source: D3.2 */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

export interface LoginDeps extends AuditDeps, AccessAuditDeps {
  users: UserStore;
  sessions: SessionStore;
  loginLimit: LoginLimit;
  passwords: Passwords;
  clock: Clock;
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
 * Why:    failures leave a row as long as the limit counts them, and one when it begins to block: no flood fills the audit log
 *
 * Errors: UNAUTHENTICATED, the same for a wrong user, a disabled user and a wrong password; RATE_LIMITED after too many failures
 * Source: OCS 2.4, 4.2; D3.2, D3.3, D3.7
 */
export async function login(deps: LoginDeps, input: { username: string; password: string }, origin: CallerOrigin): Promise<LoginResult> {
  const attempt = { username: input.username, address: origin.ip ?? 'unknown' };
  // Who is blocked takes no turn; and once more within it, since others of theirs may have failed meanwhile.
  await requireNotBlocked(deps, attempt);
  const proven = await deps.passwords.inTurn(networkOf(attempt.address), () => prove(deps, input, attempt, origin));
  const result = await openSession(deps, proven);
  await auditLogin(deps, result.user, origin);
  await deps.loginLimit.forgive(attempt);
  return result;
}

async function prove(
  deps: LoginDeps,
  input: { username: string; password: string },
  attempt: LoginTry,
  origin: CallerOrigin,
): Promise<Credentials> {
  await requireNotBlocked(deps, attempt);
  const found = await deps.users.findByUsername(input.username);
  const matches = await deps.passwords.verify(input.password, found?.passwordHash ?? null);
  if (found?.user.isEnabled && matches) return found;
  await deps.loginLimit.recordFailure(attempt);
  await auditFailure(deps, attempt, origin, found?.user.id ?? null);
  throw wrongCredentials();
}

async function requireNotBlocked(deps: LoginDeps, attempt: LoginTry): Promise<void> {
  const retryAfterSeconds = await deps.loginLimit.blockedForSeconds(attempt);
  if (retryAfterSeconds !== null) throw new CalloutError('RATE_LIMITED', '登录失败次数过多，请稍后重试', { retryAfterSeconds });
}

async function openSession(deps: LoginDeps, { user, passwordHash }: Credentials): Promise<LoginResult> {
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
  // Whoever is being disabled, changed or deleted had their sessions ended before this one was there.
  const now = await deps.users.findSettled(user.id);
  if (!now?.user.isEnabled || now.user.role !== user.role || now.passwordHash !== passwordHash) {
    await deps.sessions.remove(session);
    throw wrongCredentials();
  }
  return { token, expiresAt, user: now.user, permissions: permissionsOf(user.role) };
}

/** Characters of a tried name: somebody may have typed a password there, or anything. */
const MAX_TRIED_NAME = 64;

function auditLogin(deps: LoginDeps, { id, username }: User, origin: CallerOrigin): Promise<void> {
  const caller = { ...anonymousCaller(origin), userId: id, name: username };
  return audit(deps, caller, { action: 'user.logged_in', targetType: 'user', targetId: id, summary: '登录' });
}

async function auditFailure(deps: LoginDeps, attempt: LoginTry, origin: CallerOrigin, userId: number | null): Promise<void> {
  const caller = anonymousCaller(origin);
  const username = attempt.username.slice(0, MAX_TRIED_NAME).toWellFormed();
  const failed = { action: 'login.failed', targetType: 'user', targetId: userId, summary: '登录失败', detail: { username } } as const;
  await deps.accessAudit.note(caller, failed);
  const blockedSeconds = await deps.loginLimit.blockedForSeconds(attempt);
  if (blockedSeconds === null) return;
  await deps.accessAudit.read(caller, {
    action: 'login.blocked',
    targetType: 'address',
    targetId: networkOf(attempt.address),
    summary: '登录失败次数过多，暂停登录',
    detail: { username, blockedSeconds },
  });
}

function wrongCredentials(): CalloutError {
  return new CalloutError('UNAUTHENTICATED', '用户名或密码错误');
}
