import type { Attempt } from './attempt.ts';
import { type ListDeps, requireRow } from '#platform/postgres/listing.ts';
import { ATTEMPT_TABLE } from './attempt-columns.ts';

/**
 * Errors: NOT_FOUND when it does not exist or was deleted
 * Source: OCS 4.8
 */
export function getAttempt(deps: ListDeps, attemptId: number): Promise<Attempt> {
  return requireRow(deps, ATTEMPT_TABLE, attemptId, '通话记录');
}
