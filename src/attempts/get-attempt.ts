import type { Attempt } from './attempt.ts';
import { type ListDeps, requireRow } from '#platform/postgres/listing.ts';
import { TABLES } from '#platform/postgres/tables.ts';

/**
 * Errors: NOT_FOUND when it does not exist or was deleted
 * Source: OCS 4.8
 */
export function getAttempt(deps: ListDeps, attemptId: number): Promise<Attempt> {
  return requireRow(deps, TABLES.attempt, attemptId, '通话记录');
}
