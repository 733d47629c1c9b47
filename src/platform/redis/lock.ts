/**
 * Short locks between instances. They only avoid duplicate work; correctness never depends on them.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export interface Locks {
  /** Returns a token, or null when the lock is taken. */
  acquire(name: LockName, ttlMs: number): Promise<string | null>;
  release(name: LockName, token: string): Promise<void>;
}

export type LockName = `campaign:${number}` | 'reconciler' | 'retention' | `cell:${string}`;
