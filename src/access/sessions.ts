import { audit, type AuditPart } from '#audit/audit.ts';
import { builtInAdmin, type Caller, type CallerOrigin, permissionSetOf, type Role } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { SessionWatch } from '#platform/http/stream-guards.ts';
import { hashToken } from './tokens.ts';

/**
 * Login sessions, stored by the hash of their token; the token itself is never stored.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D3.2
 */
export interface SessionStore {
  /** The session expires after `lifetimeMs`. */
  create(session: Session, lifetimeMs: number): Promise<void>;
  find(sessionId: string): Promise<Session | null>;
  /** The ids of sessions that still exist; for streams that must end with their session. */
  findLiving(sessionIds: readonly string[]): Promise<Set<string>>;
  remove(session: Session): Promise<void>;
  /** Ends all sessions of a user except `kept`; returns their ids. */
  removeAllOf(userId: number, kept: string | null): Promise<string[]>;
}

/** The user's data at login: a change of role or state ends the session. */
export interface Session {
  /** Hash of the token. */
  sessionId: string;
  userId: number;
  username: string;
  displayName: string;
  role: Role;
  /** UTC ms. */
  expiresAt: number;
}

/** Notifies every instance of ended sessions, so that their streams close within 1 s (D3.2). */
export interface SessionSignals {
  ended(sessionIds: readonly string[]): void;
  /** The returned function unsubscribes. */
  subscribe(listener: (sessionIds: readonly string[]) => void): () => void;
}

/** Interval of the check that finds expired sessions and those whose signal was lost. */
const CHECK_EVERY_MS = 5_000;

/** Source: D3.2, D10 "The session's end closes the stream" */
export function createSessionWatch(app: {
  sessions: Pick<SessionStore, 'findLiving'>;
  sessionSignals: SessionSignals;
  clock: Clock;
  log: Log;
}): SessionWatch {
  const watchers = new Map<string, Set<() => void>>();
  const end = (sessionIds: Iterable<string>) => {
    for (const sessionId of sessionIds) {
      const listeners = watchers.get(sessionId);
      watchers.delete(sessionId);
      for (const onEnd of listeners ?? []) onEnd();
    }
  };
  const check = async () => {
    const watched = [...watchers.keys()];
    const living = await app.sessions.findLiving(watched);
    end(watched.filter(sessionId => !living.has(sessionId)));
  };
  const unsubscribe = app.sessionSignals.subscribe(end);
  const stopChecking = repeat(app, check);
  return {
    watch: (sessionId, onEnd) => register(watchers, sessionId, onEnd),
    close() {
      unsubscribe();
      stopChecking();
    },
  };
}

function register(watchers: Map<string, Set<() => void>>, sessionId: string | null, onEnd: () => void): () => void {
  if (sessionId === null) return () => undefined;
  const listeners = watchers.get(sessionId) ?? new Set();
  watchers.set(sessionId, listeners.add(onEnd));
  return () => {
    listeners.delete(onEnd);
    if (listeners.size === 0 && watchers.get(sessionId) === listeners) watchers.delete(sessionId);
  };
}

function repeat({ clock, log }: { clock: Clock; log: Log }, check: () => Promise<void>): () => void {
  let cancel = clock.schedule(CHECK_EVERY_MS, run);
  let stopped = false;
  function run() {
    check()
      // The cache is unavailable: which sessions still exist is unknown until a later check.
      .catch((err: unknown) => log.warn({ err }, 'sessions of open streams could not be checked'))
      .finally(() => {
        if (!stopped) cancel = clock.schedule(CHECK_EVERY_MS, run);
      });
  }
  return () => {
    stopped = true;
    cancel();
  };
}

/** Session signals within one process; several instances share them over the bus. */
export function localSessionSignals(): SessionSignals {
  const listeners = new Set<(sessionIds: readonly string[]) => void>();
  return {
    ended(sessionIds) {
      for (const listener of listeners) listener(sessionIds);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface SessionsPart {
  sessions: SessionStore;
  sessionSignals: SessionSignals;
  /** False makes every caller the built-in admin (OCS 5 rule 1). */
  authEnabled: boolean;
}

/**
 * Resolves a token to its caller; null when there is no such session.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export async function callerOf(app: SessionsPart, token: string | null, origin: CallerOrigin): Promise<Caller | null> {
  if (!app.authEnabled) return builtInAdmin(origin);
  const session = await findSession(app, token);
  return session && callerOfSession(session, origin);
}

export async function findSession(app: Pick<SessionsPart, 'sessions'>, token: string | null): Promise<Session | null> {
  return token === null ? null : app.sessions.find(hashToken(token));
}

function callerOfSession(session: Session, origin: CallerOrigin): Caller {
  const { userId, username, displayName, role, sessionId } = session;
  return { ...origin, userId, name: username, displayName, role, permissions: permissionSetOf(role), sessionId };
}

/** Ends the session of this token and its streams; returns the ended session. Source: D3.2, D3.7 */
export async function logout(app: SessionsPart & AuditPart, caller: Caller, token: string | null): Promise<Session | null> {
  const session = await findSession(app, token);
  if (!session) return null;
  await app.sessions.remove(session);
  app.sessionSignals.ended([session.sessionId]);
  await audit(app, caller, { action: 'user.logged_out', targetType: 'user', targetId: session.userId, summary: '退出登录' });
  return session;
}

/** Ends all sessions of a user who is disabled or deleted, or whose role or password changed (D3.2), except `kept`. */
export async function endSessionsOf(
  app: Pick<SessionsPart, 'sessions' | 'sessionSignals'>,
  userId: number,
  kept: string | null = null,
): Promise<void> {
  app.sessionSignals.ended(await app.sessions.removeAllOf(userId, kept));
}
