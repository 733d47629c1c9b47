import { reportProgressRoute } from './rest-progress.ts';
import { reportResultRoute } from './results.ts';
import { normaliseProgress, progressEvents } from '#protocol/progress.ts';
import { normaliseResult } from '#protocol/result.ts';
import { applyResult, type ApplyResultDeps } from './apply-result.ts';
import { reportProgress, type ReportProgressDeps } from './report-progress.ts';
import type { AttemptStatus } from '#attempts/attempt.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';

/** Reports of the call-flow runtime over REST; calls/reports.ts takes those over NATS. */
export function reportHandlers(deps: ApplyResultDeps & ReportProgressDeps & { timeZone: string }): RouteHandler[] {
  return [
    handler(reportResultRoute, async ({ body }) => {
      const { status, ...answer } = await applyResult(deps, normaliseResult(body, deps.timeZone));
      return { ...answer, status: status as AttemptStatus };
    }),
    handler(reportProgressRoute, async ({ body }) => {
      const { rejected, ...counts } = await reportProgress(
        deps,
        progressEvents(body).map(event => normaliseProgress(event, deps.timeZone)),
      );
      // For a list, the answer names the events that were left out; a single rejected event fails the request (D9.1).
      if (body.events !== undefined) return { ...counts, rejected: rejected.map(({ index, error }) => ({ index, reason: error.message })) };
      if (rejected[0]) throw rejected[0].error;
      return counts;
    }),
  ];
}
