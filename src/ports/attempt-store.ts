import type { Attempt, AttemptStatus, Batch, CallStatus, Page, PageRequest, TranscriptSegment } from './records.ts';

/**
 * Call attempts and batches as they are read; soft-deleted attempts do not exist here.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface AttemptStore {
  /** Newest first. */
  list(query: AttemptQuery): Promise<Page<Attempt>>;
  find(attemptId: number): Promise<Attempt | null>;
  /** The newest ones, newest first. */
  recent(limit: number): Promise<Attempt[]>;
  /** In the order spoken; null when the attempt does not exist. */
  transcript(attemptId: number): Promise<TranscriptSegment[] | null>;
  /**
   * Hides closed attempts and clears the contacts' references to them; open ones are left alone. One transaction.
   *
   * Shape: how many were hidden
   */
  softDelete(attemptIds: readonly number[]): Promise<number>;
  /** Newest first; null when the campaign does not exist. */
  listBatches(campaignId: number, page: PageRequest): Promise<Page<Batch> | null>;
  /** Folds the appended counts of attempts, and those of overview and trend; a sweep calls it beside `DialStore.foldTallies`. */
  foldTallies(): Promise<void>;
}

export interface AttemptQuery extends PageRequest {
  campaignId?: number | undefined;
  status?: AttemptStatus | undefined;
  callStatus?: CallStatus | undefined;
  emotionStatus?: Attempt['emotionStatus'] | undefined;
  resultMissing?: boolean | undefined;
}
