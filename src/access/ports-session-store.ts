import type { Role } from '#kernel/caller.ts';

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
