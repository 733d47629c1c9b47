import type { Express, Request } from 'express';
import { z } from 'zod';
import { ATTEMPT_STATUSES, type AttemptStatus } from '#attempts/attempt.ts';
import { CalloutError } from '#kernel/errors.ts';
import { bigRowId } from '#kernel/fields.ts';
import { basicPassword, INTERNAL_HEADER } from '#platform/http/authorize.ts';
import { readRawBody } from '#platform/http/bodies.ts';
import { answerData, handler, type RouteHandler } from '#platform/http/handler.ts';
import { bigIdParam, idText4, integerText, route } from '#platform/http/route.ts';
import { exchangeOf } from '#platform/http/trace.ts';
import { normaliseProgress, progressEvents, progressReport } from '#protocol/progress.ts';
import { normaliseResult, resultReport } from '#protocol/result.ts';
import { applyResult } from './apply-result.ts';
import { parseCallRecord } from './call-record.ts';
import { callSteps, getSteps } from './call-steps.ts';
import { reportProgress } from './progress.ts';
import { settleByRecord } from './settle-by-record.ts';
import type { App } from '#app/app.ts';

const CALL_RECORD_PATH = '/internal/freeswitch/cdr';
/** A record with all variables of a long call takes about 40 KiB, and three times that as a form. */
const MAX_RECORD_BYTES = 512 * 1024;

/**
 * Receives FreeSWITCH's call detail records (mod_json_cdr). It answers 200 once the call is settled or known not to be ours; after any
 * other answer the switch keeps the record on its disk.
 *
 * Why:    not a row of the interface, because a switch sends forms, and HTTP Basic where other clients send a header
 * Errors: 401 without the internal token, as the header or as the password of HTTP Basic
 * Source: D7.8
 */
export function callRecordPage(app: App): (http: Express) => void {
  return http => {
    http.post(CALL_RECORD_PATH, (request, response, next) => {
      exchangeOf(response).route = CALL_RECORD_PATH;
      take(app, request).then(outcome => answerData(response, { outcome }), next);
    });
    http.all(CALL_RECORD_PATH, (_request, response) => {
      response.setHeader('Allow', 'POST');
      throw new CalloutError('METHOD_NOT_ALLOWED', '不支持的请求方法');
    });
  };
}

async function take(app: App, request: Request): Promise<string> {
  requireSwitch(app, request);
  const record = parseCallRecord(request.headers['content-type'] ?? '', await readRawBody(request, MAX_RECORD_BYTES));
  return record === null ? 'unknown' : settleByRecord(app, record);
}

function requireSwitch({ isInternalToken }: App, { headers }: Request): void {
  const sent = headers[INTERNAL_HEADER];
  if (isInternalToken(typeof sent === 'string' ? sent : basicPassword(headers.authorization))) return;
  throw new CalloutError('UNAUTHENTICATED', '内部令牌缺失或无效');
}

/**
 * Event stream of live calls. A user receives the calls that are assigned to them, retained by them, or that their phone is in; with
 * `campaign:dispatch`, all calls.
 *
 * Shape: `snapshot` `{ calls[], truncated, at }` at the start and after `resync`; then, each with `{ callKey, campaignId, version, at }`:
 *        `call-started` (`call`), `call-changed` (`status, answeredAt, endedAt, hangupCause`), `segment` (`segment, currentNodeId`),
 *        `keyword` (`keyword, segmentId`), `intent-alert` (`keywords[], segmentId, text`), `intervention` (`intervention`), `assignment`
 *        (`monitorAssignment, monitorViewMode, waitingSince`; with `call` when the call has come into view; `monitorViewMode` is null when
 *        it has left), `call-ended` (as `call-changed`), `call-resync` (`reason`, and `call`, which replaces what was sent of this call;
 *        null: it is gone).
 *        `capacity` (`capacity { mine, used, total, waiting }` as in GET /api/live-calls; `callKey`, `campaignId` and `version` are null)
 *        once after the snapshot and within 1 s of each change.
 *        `resync` `{ reason }`: discard everything, a `snapshot` follows. `unavailable` `{ code, msg }`: no cache, the stream ends.
 *        The version of a call rises by one with each event, or group of events of one change; its first event is one with `call`.
 * Source: OCS 4.12, 6; D9.2, D10
 */
export const liveCallStreamRoute = route(
  'GET /api/live-calls/events',
  'agent:operate',
  '实时通话事件流（SSE）：字幕、关键词、介入、分配与监听容量变化',
  {
    query: z.object({ campaignId: idText4.optional() }),
    data: z.unknown(),
    stream: true,
  },
);

/** Steps in a page. */
export const STEPS = { most: 500, whenAbsent: 100 };

/** More than any journal has. */
const MAX_STEP = 1_000_000;

/** Source: D14.9 */
export const listStepsRoute = route('GET /api/call-attempts/:id/steps', 'session', '通话的每一步：事件、决定与状态', {
  params: bigIdParam,
  query: z.object({
    after: integerText({ min: 0, max: MAX_STEP }).optional().default(0).meta({ description: '继续读取：上一页的 next' }),
    limit: integerText({ min: 1, max: STEPS.most }).optional().default(STEPS.whenAbsent).meta({ description: '步数' }),
  }),
  data: callSteps,
});

/** The steps of a call, for people; what runtimes report is below. */
export function stepHandlers(app: App): RouteHandler[] {
  return [handler(listStepsRoute, ({ params, query, caller }) => getSteps(app, caller, params.id, query))];
}

/** An event of a list that was not applied: its index in `events`, and the reason in Chinese. */
const rejectedEvent = z.object({ index: z.int().nonnegative(), reason: z.string() });

/** Source: OCS 4.12, D9.1 */
export const reportProgressRoute = route('POST /api/call-progress', 'internal', '通话进度上报', {
  body: progressReport,
  data: z.object({ accepted: z.int(), duplicates: z.int(), rejected: z.array(rejectedEvent).optional() }),
});

/** Source: OCS 4.11, D7.7 */
export const reportResultRoute = route('POST /api/call-results', 'internal', '通话结果回写', {
  body: resultReport,
  data: z.object({ attemptId: bigRowId, requestId: z.uuid(), status: z.enum(ATTEMPT_STATUSES), duplicate: z.boolean() }),
});

/** Reports of the call-flow runtime over REST; calls/reports.ts takes those over NATS. */
export function reportHandlers(app: App): RouteHandler[] {
  return [
    handler(reportResultRoute, async ({ body }) => {
      const { status, ...answer } = await applyResult(app, normaliseResult(body, app.timeZone));
      return { ...answer, status: status as AttemptStatus };
    }),
    handler(reportProgressRoute, async ({ body }) => {
      const { rejected, ...counts } = await reportProgress(
        app,
        progressEvents(body).map(event => normaliseProgress(event, app.timeZone)),
      );
      // For a list, the answer names the events that were left out; a single rejected event fails the request (D9.1).
      if (body.events !== undefined) return { ...counts, rejected: rejected.map(({ index, error }) => ({ index, reason: error.message })) };
      if (rejected[0]) throw rejected[0].error;
      return counts;
    }),
  ];
}
