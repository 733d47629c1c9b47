import type { ContactStatus } from './records.ts';

/** Statuses from which POST retry brings a contact back. */
export type RetryableStatus = Exclude<ContactStatus, 'pending'>;

/** Exactly one of both. */
export type RetrySelection = { status: RetryableStatus } | { contactIds: readonly number[] };

/** Source: OCS 4.8, D5.5 */
export interface ContactRetryStore {
  /**
   * Makes matching contacts `pending` with a fresh attempt count and without a hold; contacts with an open attempt stay as they are.
   *
   * Errors: DATABASE_UNAVAILABLE
   */
  retryContacts(campaignId: number, selection: RetrySelection): Promise<RetryOutcome>;
}

export type RetryOutcome = { kind: 'retried'; requested: number; affected: number } | { kind: 'not_found' } | { kind: 'archived' };
