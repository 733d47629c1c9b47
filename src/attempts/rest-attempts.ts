import { deleteAttemptsRoute, getAttemptRoute, listAttemptsRoute, listTranscriptSegmentsRoute } from './attempts.ts';
import { type DeleteAttemptsDeps, deleteAttempts } from './delete-attempts.ts';
import { getAttempt } from './get-attempt.ts';
import { getTranscript } from './get-transcript.ts';
import { attemptList } from './list-attempts.ts';
import { type AccessAuditDeps, auditRecordingRead } from '#audit/access-audit.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** OCS 4.8: call records. */
export function attemptHandlers(deps: DeleteAttemptsDeps & AccessAuditDeps): RouteHandler[] {
  return [
    handler(listAttemptsRoute, ({ query }) => readPage(deps, attemptList, query)),
    handler(getAttemptRoute, async ({ params, caller }) => {
      const attempt = await getAttempt(deps, params.attemptId);
      if (attempt.recordingUrl) await auditRecordingRead(deps, caller, { targetType: 'attempt', targetId: attempt.id });
      return { attempt };
    }),
    handler(listTranscriptSegmentsRoute, async ({ params, caller }) => ({
      rows: await getTranscript(deps, caller, params.id),
    })),
    handler(deleteAttemptsRoute, ({ body, caller }) => deleteAttempts(deps, caller, body.attemptIds)),
  ];
}
