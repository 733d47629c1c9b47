import type { CampaignStatus, ContactStatus } from './records.ts';

/**
 * Counts for dashboards, read from roll-ups that every change keeps in its own transaction: never a scan over contacts or attempts.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D14.2
 */
export interface OverviewStore {
  /** All of them at one instant. Deleted campaigns, contacts and attempts do not count. */
  counts(): Promise<OverviewCounts>;
  /** The last `days` business days, the oldest first, the current one last; days without calls included. */
  trend(days: number): Promise<TrendDay[]>;
}

export interface OverviewCounts {
  /** Absent statuses have no row. */
  campaigns: Partial<Record<CampaignStatus, number>>;
  contacts: Partial<Record<ContactStatus, number>>;
  today: DayCounts;
  /** Attempts that are not closed, of any day. */
  activeCalls: number;
}

/** Attempts of one business day; an attempt stays in the day in which it was claimed. */
export interface DayCounts {
  /** All but those that were withdrawn before they were dialled. */
  attempts: number;
  answered: number;
  completed: number;
  /** Closed without an answer, or without anybody knowing how. */
  failed: number;
}

export interface TrendDay extends DayCounts {
  /** `2026-11-22`. */
  date: string;
  /** Of answered calls whose duration is known; 0 without any. */
  averageDurationSeconds: number;
}
