/**
 * Short mutual exclusion between instances; a hint that saves work, never the reason that something is safe.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export interface Locks {
  /** A token, or null when another holds the lock. */
  acquire(name: LockName, ttlMs: number): Promise<string | null>;
  release(name: LockName, token: string): Promise<void>;
}

export type LockName = `campaign:${number}` | 'reconciler' | 'retention' | `cell:${string}`;
