import { deleteAttemptsRoute, getAttemptRoute, listAttemptsRoute, listTranscriptSegmentsRoute } from '#contract/rest/attempts.ts';
import { type DeleteAttemptsDeps, deleteAttempts } from '#operations/attempts/delete-attempts.ts';
import { getAttempt } from '#operations/attempts/get-attempt.ts';
import { getTranscript } from '#operations/attempts/get-transcript.ts';
import { attemptList } from '#operations/attempts/list-attempts.ts';
import type { AccessAuditDeps } from '#operations/access/access-audit.ts';
import { auditRecordingRead } from '#operations/access/audited-reads.ts';
import { readPage } from '#operations/listing.ts';
import { handler, type RouteHandler } from './handler.ts';

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
