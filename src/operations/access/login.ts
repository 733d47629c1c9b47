import type { Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { LoginLimit, LoginTry } from '#ports/login-limit.ts';
import type { User } from '#ports/records.ts';
import type { Session, SessionStore } from '#ports/session-store.ts';
import type { Credentials, UserStore } from '#ports/user-store.ts';
import { type Permission, permissionsOf } from '#rules/permissions.ts';
import type { CallerOrigin } from './caller.ts';
import type { Passwords } from './password.ts';
import { newToken } from './token.ts';

/** Source: D3.2 */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

export interface LoginDeps {
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
 * Errors: UNAUTHENTICATED, the same for a wrong user, a disabled user and a wrong password; RATE_LIMITED after too many failures
 * Source: OCS 2.4, 4.2; D3.2, D3.3
 */
export async function login(deps: LoginDeps, input: { username: string; password: string }, origin: CallerOrigin): Promise<LoginResult> {
  const attempt = { username: input.username, address: origin.ip ?? 'unknown' };
  const proven = await deps.passwords.inTurn(() => prove(deps, input, attempt));
  const result = await openSession(deps, proven);
  await deps.loginLimit.forgive(attempt);
  return result;
}

async function prove(deps: LoginDeps, input: { username: string; password: string }, attempt: LoginTry): Promise<Credentials> {
  await requireNotBlocked(deps, attempt);
  const found = await deps.users.findByUsername(input.username);
  const matches = await deps.passwords.verify(input.password, found?.passwordHash ?? null);
  if (found?.user.isEnabled && matches) return found;
  await deps.loginLimit.recordFailure(attempt);
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

function wrongCredentials(): CalloutError {
  return new CalloutError('UNAUTHENTICATED', '用户名或密码错误');
}
