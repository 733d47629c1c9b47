import { notFound } from '#kernel/errors.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { TranscriptSegment } from '#ports/records.ts';
import type { Caller } from '../access/caller.ts';
import type { AccessAuditDeps } from '../access/access-audit.ts';
import { auditTranscriptRead } from '../access/audited-reads.ts';

/**
 * What was said on one attempt, in the order spoken, each segment with its speaker.
 *
 * Errors: NOT_FOUND when the attempt does not exist or was deleted
 * Source: OCS 4.8
 */
export async function getTranscript(
  deps: AccessAuditDeps & { attempts: Pick<AttemptStore, 'transcript'> },
  caller: Caller,
  attemptId: number,
): Promise<TranscriptSegment[]> {
  const segments = await deps.attempts.transcript(attemptId);
  if (segments === null) throw notFound('通话记录');
  if (segments.length > 0) await auditTranscriptRead(deps, caller, { targetType: 'attempt', targetId: attemptId });
  return segments;
}
