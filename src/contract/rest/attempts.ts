import { z } from 'zod';
import { CALL_STATUSES } from '#rules/call-status.ts';
import { bigIdParam, choiceFilter, flagFilter, idFilter4, idText8, isoInstant, pageOf, pageQuery, stamps } from './fields.ts';
import { bigRowId, rowId } from '#model/fields.ts';
import { route } from './route.ts';

export const ATTEMPT_STATUSES = [
  'claimed',
  'dialing',
  'accepted',
  'answered',
  'completed',
  'failed',
  'cancelled',
  'outcome_unknown',
] as const;
export const EMOTION_STATUSES = ['none', 'pending', 'done', 'failed'] as const;
export const HANGUP_PARTIES = ['customer', 'bot', 'agent', 'system'] as const;
export const SPEAKERS = ['bot', 'customer', 'agent'] as const;

/** Attempts in one bulk delete; the bound of bulk changes of contacts (D6.2). */
export const MAX_DELETED_ATTEMPTS = 10_000;

export const ringbackDetection = z.object({
  status: z.enum(['ringback', 'early_media', 'answered', 'busy', 'none', 'timeout']),
  detectionSource: z.enum(['switch_event', 'runtime']),
  elapsedMs: z.int(),
});

/** Source: D7.9; OCS 4.16 `recordingUrl` is a short file name */
export const attemptRow = z
  .object({
    id: bigRowId,
    requestId: z.uuid(),
    campaignId: rowId,
    contactId: bigRowId,
    batchId: bigRowId.nullable(),
    lineId: rowId.nullable(),
    callerNumber: z.string().nullable(),
    cellId: z.string().nullable(),
    phoneNumber: z.string(),
    status: z.enum(ATTEMPT_STATUSES),
    callStatus: z.enum(CALL_STATUSES).nullable(),
    hangupCause: z.string().nullable(),
    hangupBy: z.enum(HANGUP_PARTIES).nullable(),
    replyText: z.string(),
    ringbackDetection: ringbackDetection.nullable(),
    scriptId: rowId.nullable(),
    scriptVersion: z.int().positive().nullable(),
    startedAt: isoInstant.nullable(),
    answeredAt: isoInstant.nullable(),
    endedAt: isoInstant.nullable(),
    durationSeconds: z.int().nonnegative().nullable(),
    recordingUrl: z.string().nullable(),
    recognizedText: z.string().nullable(),
    classification: z.string().nullable(),
    intent: z.string().nullable(),
    emotionStatus: z.enum(EMOTION_STATUSES),
    emotion: z.json(),
    direction: z.string(),
    payload: z.json(),
    reportedTimes: z
      .object({ startedAt: isoInstant.nullable(), answeredAt: isoInstant.nullable(), endedAt: isoInstant.nullable() })
      .nullable()
      .meta({ description: '话术运行时上报的时间中与交换机相差超过一秒的部分；通话时间以交换机为准' }),
    resultMissing: z
      .boolean()
      .meta({ description: '已接听并结束，但话术运行时的结果尚未收到（运行事件 call.result_incomplete）；迟到的结果仍会补全' }),
    ...stamps,
  })
  .meta({ id: 'Attempt' });

export type AttemptRow = z.input<typeof attemptRow>;

export const transcriptSegmentRow = z
  .object({
    id: bigRowId,
    attemptId: bigRowId,
    segmentId: z.string(),
    speaker: z.enum(SPEAKERS),
    text: z.string(),
    startMs: z.int().nullable(),
    endMs: z.int().nullable(),
    nodeId: z.string().nullable(),
    ...stamps,
  })
  .meta({ id: 'TranscriptSegment' });

export const attemptListQuery = pageQuery.extend({
  campaignId: idFilter4,
  status: choiceFilter(ATTEMPT_STATUSES),
  callStatus: choiceFilter(CALL_STATUSES),
  emotionStatus: choiceFilter(EMOTION_STATUSES),
  resultMissing: flagFilter,
});

export const listAttemptsRoute = route({
  method: 'GET',
  path: '/api/call-attempts',
  access: 'session',
  summary: '通话记录列表',
  query: attemptListQuery,
  data: pageOf(attemptRow),
});

export const getAttemptRoute = route({
  method: 'GET',
  path: '/api/call-attempts/:attemptId',
  access: 'session',
  summary: '通话记录详情',
  params: z.object({ attemptId: idText8 }),
  data: z.object({ attempt: attemptRow }),
});

export const listTranscriptSegmentsRoute = route({
  method: 'GET',
  path: '/api/call-attempts/:id/transcript-segments',
  access: 'session',
  summary: '通话的分角色转写',
  params: bigIdParam,
  data: z.object({ rows: z.array(transcriptSegmentRow) }),
});

/** What a bulk change did. Shape: `requested` = `affected` + `skipped` */
export const bulkCounts = z.object({ requested: z.int(), affected: z.int(), skipped: z.int() });

export const deleteAttemptsRoute = route({
  method: 'POST',
  path: '/api/call-attempts/delete',
  access: 'compliance:write',
  summary: '批量删除通话记录',
  body: z.object({ attemptIds: z.array(bigRowId).min(1).max(MAX_DELETED_ATTEMPTS) }),
  data: bulkCounts,
});
