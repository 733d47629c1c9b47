import { z } from 'zod';
import { CALL_STATUSES, HANGUP_PARTIES, SPEAKERS } from '#protocol/call-status.ts';
import { evidence, OUTCOMES } from './decisions/evidence.ts';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';
import { MAX_RESULT_TEXT } from '#scripts/decisions/result-field.ts';

/** A value of a result field, of the type that the script declares. */
export const resultFieldValue = z.union([z.string().max(MAX_RESULT_TEXT), z.number(), z.boolean()]);

const resultFieldValues = z.record(z.string(), resultFieldValue);

const reportedResult = z.object({ classification: z.string().nullable(), intent: z.string().nullable(), fields: resultFieldValues });

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
/** Origin of a transcript: the runtime's result, or, when the result brings none, the captions that the server received. */
export const TRANSCRIPT_SOURCES = ['result', 'captions'] as const;

/**
 * What is known of a call's recording. `none`: nothing was recorded, as far as the runtime has told, or it was never looked at; `unknown`: its
 * place gave no answer, or its format is not read; `removed`: it was kept as long as it should be.
 *
 * Source: D7.20
 */
export const RECORDING_STATES = ['none', 'pending', 'complete', 'short', 'silent', 'missing', 'unknown', 'removed'] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];

export const OPEN_ATTEMPT_STATUSES = [
  'claimed',
  'dialing',
  'accepted',
  'answered',
] as const satisfies readonly (typeof ATTEMPT_STATUSES)[number][];
export type OpenAttemptStatus = (typeof OPEN_ATTEMPT_STATUSES)[number];

export const ringbackDetection = z.object({
  status: z.enum(['ringback', 'early_media', 'answered', 'busy', 'none', 'timeout']),
  detectionSource: z.enum(['switch_event', 'runtime']),
  elapsedMs: z.int(),
});

const reportedTimes = z.object({
  startedAt: instant.nullable(),
  answeredAt: instant.nullable(),
  endedAt: instant.nullable(),
  durationSeconds: z.number().nullable(),
});

/** The runtime's own times of a call, kept where they differ from ours by more than clock skew; UTC ms. */
export type ReportedTimes = Partial<Record<'startedAt' | 'answeredAt' | 'endedAt' | 'durationSeconds', number>>;

/** Source: D7.9; OCS 4.16 `recordingUrl` is a short file name */
export const attempt = z
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
    startedAt: instant.nullable(),
    answeredAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationSeconds: z.int().nonnegative().nullable(),
    recordingUrl: z.string().nullable(),
    recognizedText: z.string().nullable(),
    classification: z.string().nullable(),
    intent: z.string().nullable(),
    emotionStatus: z.enum(EMOTION_STATUSES),
    emotion: z.json(),
    direction: z.string(),
    payload: z.json(),
    resultFields: resultFieldValues
      .nullable()
      .meta({ description: '话术声明的结果字段的值：话术引擎上报，或坐席、更正者所填（后者优先）；没有为 null' }),
    reportedResult: reportedResult.nullable().meta({ description: '有人更正或坐席填写过时，话术引擎原来上报的结果；否则为 null' }),
    outcome: z.enum(OUTCOMES).nullable().meta({ description: '这次呼叫的结果；未结束为 null' }),
    evidence: evidence.nullable().meta({ description: '判定结果的依据' }),
    reportedTimes: reportedTimes
      .nullable()
      .meta({ description: '话术引擎上报的时间与时长中，与所记录的相差超过一秒的部分；通话时间以交换机与服务器为准' }),
    recordingState: z.enum(RECORDING_STATES).meta({
      description:
        '录音的检查结果：none 没有录音，pending 待检查，complete 完整，short 短于通话，silent 无声，missing 文件不存在，unknown 无法检查，removed 按保留期限已删除',
    }),
    isTest: z.boolean().meta({ description: '测试呼叫：以联系人的资料呼叫用户自己的号码，不计入次数、统计与报表' }),
    resultMissing: z
      .boolean()
      .meta({ description: '已接听并结束，但话术引擎的结果尚未收到（运行事件 call.result_incomplete）；迟到的结果仍会补全' }),
    ...stamps,
  })
  .meta({ id: 'Attempt' });

export type Attempt = z.output<typeof attempt>;
export type AttemptStatus = Attempt['status'];
export type HangupBy = NonNullable<Attempt['hangupBy']>;
export type RingbackDetection = z.output<typeof ringbackDetection>;

export const transcriptSegment = z
  .object({
    id: bigRowId,
    attemptId: bigRowId,
    segmentId: z.string(),
    speaker: z.enum(SPEAKERS),
    text: z.string(),
    startMs: z.int().nullable(),
    endMs: z.int().nullable(),
    nodeId: z.string().nullable(),
    source: z
      .enum(TRANSCRIPT_SOURCES)
      .meta({ description: 'result 为话术引擎的结果所带；captions 为结果未到或未带转写时保留的实时字幕（最后 200 句）' }),
    ...stamps,
  })
  .meta({ id: 'TranscriptSegment' });

export type TranscriptSegment = z.output<typeof transcriptSegment>;
export type TranscriptSource = TranscriptSegment['source'];
export type Speaker = TranscriptSegment['speaker'];
