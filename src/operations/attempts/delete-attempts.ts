import type { AttemptStore } from '#ports/attempt-store.ts';
import { type AuditDeps, audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';

export interface DeleteAttemptsDeps extends AuditDeps {
  attempts: Pick<AttemptStore, 'softDelete'>;
}

/** Ids kept in the audit row; the count tells how many there were. */
const MAX_AUDITED_IDS = 200;

/**
 * Hides call records and clears the contacts' references to them. Open attempts, unknown and already deleted ones are skipped.
 *
 * Shape:  `requested` = `affected` + `skipped`
 * Source: OCS 4.8
 */
export async function deleteAttempts(
  deps: DeleteAttemptsDeps,
  caller: Caller,
  attemptIds: readonly number[],
): Promise<{ requested: number; affected: number; skipped: number }> {
  const affected = await deps.attempts.softDelete(attemptIds);
  const counts = { requested: attemptIds.length, affected, skipped: attemptIds.length - affected };
  if (affected === 0) return counts;
  await audit(deps, caller, {
    action: 'attempt.deleted',
    targetType: 'attempt',
    targetId: null,
    summary: `删除 ${affected} 条通话记录`,
    detail: { ...counts, attemptIds: attemptIds.slice(0, MAX_AUDITED_IDS) },
  });
  return counts;
}
