import type { Batch, CampaignPhase, CampaignStatus, ContactStatus } from './records.ts';

/**
 * Counts for the runtime overview; each method touches a bounded number of rows through an index.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: OCS 2.12
 */
export interface RuntimeOverviewStore {
  /** Contacts with an open attempt, and those among them whose call was neither answered nor closed within `stuckAfterMs` of the claim. */
  activity(stuckAfterMs: number): Promise<{ activeContacts: number; stuckContacts: number; runningBatches: number }>;
  /** What the scheduler did in the last minute, by the database's clock. */
  scheduler(): Promise<SchedulerCounters>;
  /** Campaigns that are not archived, running ones first, then newest, at most `limit`. */
  campaigns(limit: number): Promise<CampaignCounts[]>;
  /** Lines that are not deleted, in the order of their ids, at most `limit`. */
  lines(limit: number): Promise<OverviewLine[]>;
  /** Batches that have been running for longer than `olderThanMs`, oldest first, at most `limit`. */
  stuckBatches(olderThanMs: number, limit: number): Promise<Batch[]>;
}

export interface SchedulerCounters {
  submittedLastMinute: number;
  failedLastMinute: number;
  completedBatchesLastMinute: number;
}

export interface CampaignCounts {
  campaignId: number;
  name: string;
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason: string | null;
  nextWakeAt: number | null;
  contacts: Record<ContactStatus, number>;
  /** Of the failed ones: those that will be dialled again. */
  awaitingRetry: number;
}

export interface OverviewLine {
  lineId: number;
  name: string;
  code: string;
  isEnabled: boolean;
  maxConcurrency: number;
}
