import { CLAIM_EXPIRY_MS } from '#actors/intervention/take-over.ts';
import type { CallIntervention } from '#calls/publish-call.ts';

/**
 * Deadline of a claim, UTC ms: when it expires, or when the search for an agent ends; null once an agent talks or the claim is over.
 * Source: D9.3, D12.5
 */
export function endsBy({ status, requestedAt, consumedAt }: CallIntervention, longestSearchMs: number): number | null {
  if (status === 'requested' && requestedAt !== null) return requestedAt + CLAIM_EXPIRY_MS;
  return status === 'transferring' && consumedAt !== null ? consumedAt + longestSearchMs : null;
}
