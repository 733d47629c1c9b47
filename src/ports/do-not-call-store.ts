import type { DoNotCallEntry } from './records.ts';

/**
 * Numbers that nobody may dial, compared by their dial key (D8.7).
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface DoNotCallStore {
  /** Adds the number or updates its entry; `before` null: it had none. */
  put(entry: NewDoNotCallEntry): Promise<{ before: DoNotCallEntry | null; after: DoNotCallEntry }>;
  /** The removed entry; null when absent. */
  remove(entryId: number): Promise<DoNotCallEntry | null>;
}

export interface NewDoNotCallEntry {
  phoneNumber: string;
  dialKey: string;
  /** Null keeps the reason of an entry that exists. */
  reason: string | null;
  source: DoNotCallEntry['source'];
  /** UTC ms; null = permanent. */
  expiresAt: number | null;
  createdBy: number | null;
}
