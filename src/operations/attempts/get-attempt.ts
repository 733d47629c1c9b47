import { notFound } from '#kernel/errors.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { Attempt } from '#ports/records.ts';

/**
 * One attempt.
 *
 * Errors: NOT_FOUND when it does not exist or was deleted
 * Source: OCS 4.8
 */
export async function getAttempt(deps: { attempts: Pick<AttemptStore, 'find'> }, attemptId: number): Promise<Attempt> {
  const attempt = await deps.attempts.find(attemptId);
  if (attempt === null) throw notFound('通话记录');
  return attempt;
}
