/**
 * What a check before the start reads of a campaign's contacts, without claiming any.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D5.6
 */
export interface PreflightStore {
  /** Contacts that are held back at the moment, by reason. */
  heldByReason(campaignId: number): Promise<Readonly<Record<string, number>>>;
  /** The contacts that would be dialled first, in their order, at most `limit`. */
  candidates(campaignId: number, query: { limit: number; frequencyDays: number }): Promise<PreflightCandidate[]>;
}

export interface PreflightCandidate {
  phoneNumber: string;
  attemptCount: number;
  doNotCall: { expiresAt: number | null } | null;
  /** Dials to the number in the last `frequencyDays` × 24 h, newest first, at most 1,000; UTC ms. */
  recentDials: readonly { dialledAt: number; campaignId: number }[];
}
