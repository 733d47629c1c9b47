/**
 * What a check before the start reads of a campaign's contacts, without claiming any.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D5.6
 */
export interface PreflightStore {
  /** By campaign: contacts that are held back at the moment, by reason. A campaign that holds none is left out. */
  heldByReason(campaignIds: readonly number[]): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>>;
  /** By campaign: the contacts that would be dialled first, in their order, at most `limit` of each. A campaign without any is left out. */
  candidates(asked: readonly CandidateQuery[], limit: number): Promise<ReadonlyMap<number, readonly PreflightCandidate[]>>;
}

export interface CandidateQuery {
  campaignId: number;
  /** Earlier dials that decisions look back at, × 24 h; 0: none do. */
  frequencyDays: number;
}

export interface PreflightCandidate {
  phoneNumber: string;
  attemptCount: number;
  doNotCall: { expiresAt: number | null } | null;
  /** Dials to the number in the last `frequencyDays` × 24 h, newest first, at most 1,000; UTC ms. */
  recentDials: readonly { dialledAt: number; campaignId: number }[];
}
