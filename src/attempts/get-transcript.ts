import { sql } from 'kysely';
import { ids } from '#platform/postgres/values.ts';
import type { TranscriptSegment } from './attempt.ts';
import { type AccessAuditDeps, auditTranscriptRead } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';
import { getAttempt } from './get-attempt.ts';

/** Most segments of one attempt: a result report contains at most 2,000 (protocol/result.ts), and the live call may add some. */
export const MAX_SEGMENTS = 5_000;

/**
 * Returns the transcript of one attempt in the order spoken, and audits the access.
 *
 * Errors: NOT_FOUND when the attempt does not exist or was deleted
 * Source: OCS 4.8
 */
export async function getTranscript(deps: AccessAuditDeps & ListDeps, caller: Caller, attemptId: number): Promise<TranscriptSegment[]> {
  await getAttempt(deps, attemptId);
  const segments = await readTranscripts(deps, [attemptId]);
  if (segments.length > 0) await auditTranscriptRead(deps, caller, { targetType: 'attempt', targetId: attemptId });
  return segments;
}

/** Returns the segments of each attempt in the order spoken. */
export function readTranscripts({ db }: ListDeps, attemptIds: readonly number[]): Promise<TranscriptSegment[]> {
  return db.rows(sql<TranscriptSegment>`
    select t.id, t.attempt_id, t.segment_id, t.speaker, t.text, t.start_ms, t.end_ms, t.node_id, t.source, t.created_at, t.updated_at
    from unnest(${ids(attemptIds)}) as asked (id)
    cross join lateral (select * from transcript_segment where attempt_id = asked.id order by position, id limit ${MAX_SEGMENTS}) as t
    order by t.attempt_id, t.position, t.id`);
}
