/** Tells every instance that something changed for a campaign's dispatch; lost wakes are covered by the campaign's wake-up time. */
export interface Wake {
  /** Null: all running campaigns. */
  campaign(campaignId: number | null): void;
}
