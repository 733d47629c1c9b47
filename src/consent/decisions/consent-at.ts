import { type InputFault } from '#kernel/errors.ts';
import { problem } from '#kernel/problem.ts';
import type { Consent, ConsentEntry } from '../consent.ts';

/** How far a client's clock may be ahead of the server's, ms. */
const MAX_SKEW_MS = 60_000;

/** Why an entry cannot be recorded at `now`; null when it can. The number is checked by its region. */
export function consentFault({ kind, purpose, at, until }: ConsentEntry, now: number): InputFault | null {
  if (kind === 'given' && purpose === '') return { field: 'purpose', problem: problem('empty') };
  if (at !== null && at > now + MAX_SKEW_MS) return { field: 'at', problem: problem('inTheFuture') };
  if (until === null) return null;
  if (kind === 'revoked') return { field: 'until', problem: problem('notTogether', { other: 'kind: revoked' }) };
  return until <= (at ?? now) ? { field: 'until', problem: problem('laterThan', { other: 'at' }) } : null;
}

type LedgerEntry = Pick<Consent, 'id' | 'kind' | 'purpose' | 'at' | 'until'>;

/**
 * Whether the entries of one person hold a consent for the purpose at an instant, as far as they were made by then.
 *
 * Why:    the latest entry decides; of two at one instant a revocation does. The statement `hasConsent` says the same of the present
 * Units:  UTC ms
 * Source: D8.10
 */
export function consentAt(entries: readonly LedgerEntry[], purpose: string, at: number): boolean {
  const known = entries.filter(entry => entry.at <= at && (entry.purpose === purpose || entry.purpose === ''));
  const [latest] = known.toSorted(byAuthority);
  return latest?.kind === 'given' && (latest.until === null || latest.until > at);
}

function byAuthority(one: LedgerEntry, other: LedgerEntry): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.kind !== other.kind) return one.kind === 'revoked' ? -1 : 1;
  return other.id - one.id;
}
