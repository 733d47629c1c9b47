/** Most skipped rows whose reason is reported. */
const MAX_EXPLAINED = 100;

/** Result of a command on many rows. Shape: requested = affected + skipped. Source: D6.2 */
export interface BulkResult {
  requested: number;
  affected: number;
  skipped: number;
  left: LeftRows;
}

/** Requested rows that were skipped. */
export interface LeftRows {
  of: 'contact' | 'attempt';
  /** Null for rows of any campaign. */
  campaignId: number | null;
  /** At most the first 100. */
  ids: readonly number[];
}

export function leftOf(of: LeftRows['of'], campaignId: number | null, named: readonly number[], affectedIds: readonly number[]): LeftRows {
  const affected = new Set(affectedIds);
  return { of, campaignId, ids: [...new Set(named)].filter(id => !affected.has(id)).slice(0, MAX_EXPLAINED) };
}
