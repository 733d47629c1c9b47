/**
 * The internal token that the server made for itself; only its hash is kept.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D1.4
 */
export interface InternalTokenStore {
  findHash(): Promise<string | null>;
  /** False when another instance was first: its token is the one. */
  createFirst(hash: string): Promise<boolean>;
}
