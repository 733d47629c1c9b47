import type { Attempt } from '#model/attempt.ts';

/**
 * What the engine asks of call attempts beside dialling; soft-deleted ones do not exist here.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface AttemptStore {
  find(attemptId: number): Promise<Attempt | null>;
  /** Folds the appended counts of attempts, and those of overview and trend; a sweep calls it beside `DialStore.foldTallies`. */
  foldTallies(): Promise<void>;
}
