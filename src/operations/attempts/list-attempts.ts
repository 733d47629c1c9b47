import type { AttemptQuery, AttemptStore } from '#ports/attempt-store.ts';
import type { Attempt, Page } from '#ports/records.ts';

/** Source: OCS 4.8 */
export function listAttempts(deps: { attempts: Pick<AttemptStore, 'list'> }, query: AttemptQuery): Promise<Page<Attempt>> {
  return deps.attempts.list(query);
}
