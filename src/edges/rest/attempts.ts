import { deleteAttemptsRoute, getAttemptRoute, listAttemptsRoute, listTranscriptSegmentsRoute } from '#contract/rest/attempts.ts';
import { type DeleteAttemptsDeps, deleteAttempts } from '#operations/attempts/delete-attempts.ts';
import { getAttempt } from '#operations/attempts/get-attempt.ts';
import { getTranscript } from '#operations/attempts/get-transcript.ts';
import { attemptList } from '#operations/attempts/list-attempts.ts';
import type { AccessAuditDeps } from '#operations/access/access-audit.ts';
import { auditRecordingRead } from '#operations/access/audited-reads.ts';
import { readPage } from '#operations/listing.ts';
import type { TranscriptSegment } from '#ports/records.ts';
import { handler, type RouteHandler } from './handler.ts';
import { presentAttempt } from './present/attempts.ts';
import { presentInstant } from './present/instant.ts';

export type AttemptDeps = DeleteAttemptsDeps & AccessAuditDeps;

/** OCS 4.8: call records. */
export function attemptHandlers(deps: AttemptDeps): RouteHandler[] {
  return [
    handler(listAttemptsRoute, async ({ query }) => {
      const page = await readPage(deps, attemptList, query);
      return { ...page, rows: page.rows.map(presentAttempt) };
    }),
    handler(getAttemptRoute, async ({ params, caller }) => {
      const attempt = await getAttempt(deps, params.attemptId);
      if (attempt.recordingUrl) await auditRecordingRead(deps, caller, { targetType: 'attempt', targetId: attempt.id });
      return { attempt: presentAttempt(attempt) };
    }),
    handler(listTranscriptSegmentsRoute, async ({ params, caller }) => ({
      rows: (await getTranscript(deps, caller, params.id)).map(presentSegment),
    })),
    handler(deleteAttemptsRoute, ({ body, caller }) => deleteAttempts(deps, caller, body.attemptIds)),
  ];
}

function presentSegment(segment: TranscriptSegment) {
  return { ...segment, createdAt: presentInstant(segment.createdAt), updatedAt: presentInstant(segment.updatedAt) };
}
