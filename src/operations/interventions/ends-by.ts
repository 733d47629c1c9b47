import { CLAIM_EXPIRY_MS } from '#actors/intervention/take-over.ts';
import type { CallIntervention } from '../calls/publish-call.ts';

/** By when a claim has come to something, UTC ms: it expires, or the search for an agent is given up; null: a person talks, or it is over. Source: D9.3, D12.5 */
export function endsBy({ status, requestedAt, consumedAt }: CallIntervention, longestSearchMs: number): number | null {
  if (status === 'requested' && requestedAt !== null) return requestedAt + CLAIM_EXPIRY_MS;
  return status === 'transferring' && consumedAt !== null ? consumedAt + longestSearchMs : null;
}
