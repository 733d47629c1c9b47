import { type RawBuilder, sql } from 'kysely';
import type { CandidateRow } from './dial-candidates.ts';
import type { ClaimRequest, RecentDial } from './dial-store.ts';

/** Key for `pg_advisory_xact_lock`: claims that consider earlier dials are serialised. */
const FREQUENCY_LOCK = 7_225_541;

/**
 * To be run before the statement that reads earlier dials.
 *
 * Why:    two campaigns that claim the same number concurrently would each see it below its limit
 * Source: D8.4
 */
export function claimsTakeTurns({ frequencyDays }: ClaimRequest): RawBuilder<unknown> {
  return sql`select case when ${frequencyDays}::int > 0 then pg_advisory_xact_lock(${FREQUENCY_LOCK}) end`;
}

/** Earlier dials of the numbers in a claim, including those of the claim itself. */
export interface SeenDials {
  of(row: CandidateRow): readonly RecentDial[];
  /** Records that the claim takes the number, for later contacts with the same number. */
  add(row: CandidateRow): void;
}

/** `at`: instant of the claim, UTC ms. */
export function seenDials({ campaignId, frequencyDays }: ClaimRequest, at: number): SeenDials {
  const taken = new Map<string, RecentDial[]>();
  const of = ({ dialKey, recentDials }: CandidateRow) => [...(taken.get(dialKey) ?? []), ...recentDials];
  return {
    of,
    add({ dialKey }) {
      if (frequencyDays > 0) taken.set(dialKey, [{ at, campaignId }, ...(taken.get(dialKey) ?? [])]);
    },
  };
}
