import type { Session, SessionSignals, SessionStore } from './ports-session-store.ts';
import { builtInAdmin, type Caller, type CallerOrigin, permissionSetOf } from '#kernel/caller.ts';
import { type AuditDeps, audit } from '#audit/audit.ts';
import { hashToken } from './token.ts';

export interface SessionDeps {
  sessions: SessionStore;
  signals: SessionSignals;
  /** False makes every caller the built-in admin (OCS 5 rule 1). */
  authEnabled: boolean;
}

/**
 * Resolves a token to its caller; null when there is no such session.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export async function callerOf(deps: SessionDeps, token: string | null, origin: CallerOrigin): Promise<Caller | null> {
  if (!deps.authEnabled) return builtInAdmin(origin);
  const session = await findSession(deps, token);
  return session && callerOfSession(session, origin);
}

export async function findSession(deps: SessionDeps, token: string | null): Promise<Session | null> {
  return token === null ? null : deps.sessions.find(hashToken(token));
}

function callerOfSession(session: Session, origin: CallerOrigin): Caller {
  const { userId, username, displayName, role, sessionId } = session;
  return { ...origin, userId, name: username, displayName, role, permissions: permissionSetOf(role), sessionId };
}

/** Ends the session of this token and its streams; returns the ended session. Source: D3.2, D3.7 */
export async function logout(deps: SessionDeps & AuditDeps, caller: Caller, token: string | null): Promise<Session | null> {
  const session = await findSession(deps, token);
  if (!session) return null;
  await deps.sessions.remove(session);
  deps.signals.ended([session.sessionId]);
  await audit(deps, caller, { action: 'user.logged_out', targetType: 'user', targetId: session.userId, summary: '退出登录' });
  return session;
}

/** Ends all sessions of a user who is disabled or deleted, or whose role or password changed (D3.2), except `kept`. */
export async function endSessionsOf(deps: SessionDeps, userId: number, kept: string | null = null): Promise<void> {
  deps.signals.ended(await deps.sessions.removeAllOf(userId, kept));
}
