import { type RawBuilder, sql } from 'kysely';
import type { ClaimRequest, RecentDial } from '#ports/dial-store.ts';
import type { CandidateRow } from './dial-candidates.ts';

/** Of `pg_advisory_xact_lock`: claims that look at earlier dials take turns. */
const FREQUENCY_LOCK = 7_225_541;

/**
 * Before the statement that looks at earlier dials.
 *
 * Why:    two campaigns that claimed one number at once would each see it below its limit, so such claims take turns
 * Source: D8.4
 */
export function claimsTakeTurns({ frequencyDays }: ClaimRequest): RawBuilder<unknown> {
  return sql`select case when ${frequencyDays}::int > 0 then pg_advisory_xact_lock(${FREQUENCY_LOCK}) end`;
}

/** When the numbers of one claim were dialled before, this claim included. */
export interface SeenDials {
  of(row: CandidateRow): readonly RecentDial[];
  /** The claim takes the number: the next contact with it sees that. */
  add(row: CandidateRow): void;
}

/** `at`: the instant of the claim, UTC ms. */
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
