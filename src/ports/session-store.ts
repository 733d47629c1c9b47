import type { Role } from '#model/user.ts';

/**
 * Who is logged in, by the hash of their token; the token itself is nowhere.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D3.2
 */
export interface SessionStore {
  /** The session ends by itself after `lifetimeMs`. */
  create(session: Session, lifetimeMs: number): Promise<void>;
  find(sessionId: string): Promise<Session | null>;
  /** Which of these still are; for streams that must end with their session. */
  findLiving(sessionIds: readonly string[]): Promise<Set<string>>;
  remove(session: Session): Promise<void>;
  /** Ends all sessions of a user but `kept`; resolves to their ids. */
  removeAllOf(userId: number, kept: string | null): Promise<string[]>;
}

/** What the user was when they logged in: a change of role or state ends the session. */
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

/** Tells every instance at once that sessions have ended, so that their streams close within 1 s (D3.2). */
export interface SessionSignals {
  ended(sessionIds: readonly string[]): void;
  /** The returned function stops it. */
  subscribe(listener: (sessionIds: readonly string[]) => void): () => void;
}
