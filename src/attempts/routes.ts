import { z } from 'zod';
import { auditRecordingRead } from '#audit/access-audit.ts';
import { listCode } from '#kernel/coded-list.ts';
import { bigRowId, bulkCounts, instantText, requiredText, toInstantOrNull } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import {
  bigIdParam,
  flagFilter,
  idText4,
  idText8,
  integerText,
  MAX_SEARCH_LENGTH,
  pageOf,
  pageQuery,
  route,
} from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { CALL_STATUSES } from '#protocol/call-status.ts';
import { attemptList, getAttempt, requireNarrow } from './attempt-store.ts';
import { attempt, ATTEMPT_STATUSES, EMOTION_STATUSES, RECORDING_STATES, transcriptSegment } from './attempt.ts';
import { OUTCOMES } from './decisions/evidence.ts';
import { resultConditionsText } from './decisions/result-condition.ts';
import { deleteAttempts } from './remove-attempts.ts';
import { searchTranscripts, transcriptHits } from './search-transcripts.ts';
import { shownAttempt, shownAttempts } from './shown-attempts.ts';
import { getTranscript } from './timelines.ts';
import type { App } from '#app/app.ts';

/** Most attempts in one bulk delete; the bound of bulk changes of contacts (D6.2). */
const MAX_DELETED_ATTEMPTS = 10_000;

const attemptListQuery = pageQuery.extend({
  campaignId: idText4.optional(),
  status: z.enum(ATTEMPT_STATUSES).optional(),
  callStatus: z.enum(CALL_STATUSES).optional(),
  answered: flagFilter.meta({ description: '1 只列有人接听的，通话中或已结束；0 只列其余' }),
  open: flagFilter.meta({ description: '1 只列进行中的；0 只列已结束的' }),
  outcome: z.enum(OUTCOMES).optional(),
  disposition: listCode.optional().meta({ description: '坐席选定的结果的 code' }),
  emotionStatus: z.enum(EMOTION_STATUSES).optional(),
  resultMissing: flagFilter,
  recordingState: z.enum(RECORDING_STATES).optional().meta({ description: '录音的检查结果；须另给 campaignId' }),
  resultField: resultConditionsText,
  test: flagFilter.meta({ description: '1 只列测试呼叫；否则不列' }),
});

export const listAttemptsRoute = route('GET /api/call-attempts', 'session', '通话记录列表', {
  query: attemptListQuery,
  data: pageOf(attempt),
});

export const getAttemptRoute = route('GET /api/call-attempts/:attemptId', 'session', '通话记录详情', {
  params: z.object({ attemptId: idText8 }),
  data: z.object({ attempt }),
});

export const listTranscriptSegmentsRoute = route('GET /api/call-attempts/:id/transcript-segments', 'session', '通话的分角色转写', {
  params: bigIdParam,
  data: z.object({ rows: z.array(transcriptSegment) }),
});

/** Most calls in an answer to a search, and how many when the request names no number. */
export const HITS = { most: 50, whenAbsent: 20 };

export const searchedText = requiredText(MAX_SEARCH_LENGTH);

/** Source: D7.19 */
export const searchTranscriptsRoute = route('GET /api/transcripts', 'session', '按文字查找通话：一个活动内，或至多 92 天内，新的在前', {
  query: z.object({
    q: searchedText.meta({ description: '要找的文字，出现在一句中任何位置' }),
    campaignId: idText4.optional().meta({ description: '活动的编号；缺少时必须给出 from' }),
    from: instantText.optional().meta({ description: '不早于' }),
    to: instantText.optional().meta({ description: '早于' }),
    before: idText8.optional().meta({ description: '继续查找：上一次的 next' }),
    limit: integerText({ min: 1, max: HITS.most }).optional().default(HITS.whenAbsent).meta({ description: '通话数' }),
  }),
  data: transcriptHits,
});

export const deleteAttemptsRoute = route('POST /api/call-attempts/delete', 'compliance:write', '批量删除通话记录', {
  body: z.object({ attemptIds: z.array(bigRowId).min(1).max(MAX_DELETED_ATTEMPTS) }),
  data: bulkCounts,
});

/** OCS 4.8: call records. */
export function attemptHandlers(app: App): RouteHandler[] {
  return [
    handler(listAttemptsRoute, async ({ query: { test, ...query }, caller }) => {
      // Outcome and disposition have no index, but older clients send them without a narrowing filter: both are exempt.
      requireNarrow({ ...query, outcome: undefined, disposition: undefined });
      const page = await readPage(app, attemptList, { ...query, isTest: test });
      return { ...page, rows: await shownAttempts(app, caller, page.rows) };
    }),
    handler(getAttemptRoute, async ({ params, caller }) => {
      const attempt = await getAttempt(app, params.attemptId);
      if (attempt.recordingUrl) await auditRecordingRead(app, caller, { targetType: 'attempt', targetId: attempt.id });
      return { attempt: await shownAttempt(app, caller, attempt) };
    }),
    handler(listTranscriptSegmentsRoute, async ({ params, caller }) => ({
      rows: await getTranscript(app, caller, params.id),
    })),
    handler(searchTranscriptsRoute, ({ query: { q: text, from, to, ...query }, caller }) => {
      const instantOf = (given: string | undefined) => toInstantOrNull(given, app.timeZone) ?? undefined;
      return searchTranscripts(app, caller, { ...query, text, from: instantOf(from), to: instantOf(to) });
    }),
    handler(deleteAttemptsRoute, ({ body, caller }) => deleteAttempts(app, caller, body.attemptIds)),
  ];
}
