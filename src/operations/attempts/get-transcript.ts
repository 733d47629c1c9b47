import { notFound } from '#kernel/errors.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { TranscriptSegment } from '#ports/records.ts';

/**
 * What was said on one attempt, in the order spoken, each segment with its speaker.
 *
 * Errors: NOT_FOUND when the attempt does not exist or was deleted
 * Source: OCS 4.8
 */
export async function getTranscript(deps: { attempts: Pick<AttemptStore, 'transcript'> }, attemptId: number): Promise<TranscriptSegment[]> {
  const segments = await deps.attempts.transcript(attemptId);
  if (segments === null) throw notFound('通话记录');
  return segments;
}
