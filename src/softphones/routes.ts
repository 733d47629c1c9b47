import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, instant, rowId } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idText8, route } from '#platform/http/route.ts';
import { control, endSoftphoneSession, say, updateNote } from './control.ts';
import { openSession } from './open-session.ts';
import { getSoftphoneCall, type SoftphoneCallDetail, utterancesOf } from './session-feed.ts';
import { sessionParam, SOFTPHONE_EVENT_KINDS, type SoftphoneEvent } from './session.ts';
import type { App } from '#app/app.ts';

/** Source: OCS 4.14 */
function presentSoftphoneDetail({ call, events }: SoftphoneCallDetail) {
  return {
    call: { ...call, softphoneCallId: call.id },
    timeline: events.filter(({ kind }) => kind !== 'tts').map(withTime),
    ttsEvents: events.filter(({ kind }) => kind === 'tts').map(withTime),
    recording: { recordingUrl: call.recordingUrl, cellId: call.cellId },
    transcript: utterancesOf(events),
  };
}

const withTime = (event: SoftphoneEvent) => ({ ...event, at: event.createdAt });

const MAX_NUMBER_LENGTH = 32;
const MAX_NOTE_LENGTH = 2_000;
const MAX_TEXT_LENGTH = 1_000;
const MAX_DIGITS = 32;

const note = z.string().trim().max(MAX_NOTE_LENGTH);

export const openSoftphoneRoute = route('POST /api/softphone-sessions', 'agent:operate', '创建网页话机会话', {
  body: z.object({
    agentId: rowId.nullish(),
    phoneNumber: z.string().trim().max(MAX_NUMBER_LENGTH).nullish(),
    contactId: bigRowId.nullish(),
    campaignId: rowId.nullish(),
    note: note.nullish(),
  }),
  data: z.object({
    sessionId: z.uuid(),
    softphoneCallId: bigRowId,
    serviceNumber: z.string(),
    sipExtraHeaders: z.record(z.string(), z.string()),
  }),
});

/**
 * Event stream: `session`, `message`, `tts`, `error`, from the session's beginning. A `resync` (`{}`) is followed by a `snapshot` with
 * `events[]`, the newest 200, which replaces everything sent before.
 *
 * Source: OCS 6, D10
 */
export const softphoneEventsRoute = route(
  'GET /api/softphone-sessions/:sessionId/events',
  'agent:operate',
  '网页话机会话的事件流：session、message、tts、error；位置已失效或读取过慢时先发 resync 和 snapshot',
  {
    params: sessionParam,
    data: z.null(),
    stream: true,
  },
);

export const softphoneMessageRoute = route(
  'POST /api/softphone-sessions/:sessionId/messages',
  'agent:operate',
  '输入文字，以语音合成播放给客户',
  {
    params: sessionParam,
    body: z.object({ text: z.string().trim().min(1).max(MAX_TEXT_LENGTH) }),
    data: z.object({ messageId: z.uuid() }),
  },
);

export const softphoneControlRoute = route('POST /api/softphone-sessions/:sessionId/controls', 'agent:operate', '保持、恢复、按键、转接', {
  params: sessionParam,
  body: z.discriminatedUnion('type', [
    z.object({ type: z.literal('hold') }),
    z.object({ type: z.literal('resume') }),
    z.object({
      type: z.literal('dtmf'),
      digits: z
        .string()
        .max(MAX_DIGITS, { abort: true })
        .regex(/^[0-9A-D*#]+$/, issue('dtmf')),
    }),
    z.object({ type: z.literal('transfer'), targetNumber: z.string().trim().min(1).max(MAX_NUMBER_LENGTH) }),
  ]),
  data: z.object({ type: z.string(), softphoneCallId: bigRowId.nullable().meta({ description: '转接产生的新通话' }) }),
});

export const softphoneNoteRoute = route('POST /api/softphone-sessions/:sessionId/notes', 'agent:operate', '更新会话备注', {
  params: sessionParam,
  body: z.object({ note }),
  data: z.object({ sessionId: z.uuid(), note: z.string() }),
});

export const endSoftphoneRoute = route('POST /api/softphone-sessions/:sessionId/end', 'agent:operate', '结束会话，会议与录音随之完成', {
  params: sessionParam,
  data: z.object({ sessionId: z.uuid(), ended: z.boolean(), recordingUrl: z.string().nullable() }),
});

const event = z.object({ id: bigRowId, kind: z.enum(SOFTPHONE_EVENT_KINDS), data: z.record(z.string(), z.json()), at: instant });

/** Source: OCS 4.14 */
export const getSoftphoneCallRoute = route(
  'GET /api/softphone-calls/:softphoneCallId',
  'agent:operate',
  '软电话通话详情：时间线、语音合成、录音、分角色转写',
  {
    params: z.object({ softphoneCallId: idText8 }),
    data: z.object({
      call: z.object({
        id: bigRowId,
        softphoneCallId: bigRowId,
        requestId: z.string(),
        direction: z.string(),
        status: z.string(),
        agentId: rowId.nullable(),
        campaignId: rowId.nullable(),
        contactId: bigRowId.nullable(),
        attemptId: bigRowId.nullable(),
        sessionId: z.string().nullable(),
        conferenceId: z.string().nullable(),
        phoneNumber: z.string(),
        cellId: z.string().nullable(),
        note: z.string(),
        hangupCause: z.string().nullable(),
        failureReason: z.string().nullable(),
        answeredAt: instant.nullable(),
        endedAt: instant.nullable(),
        durationSeconds: z.int().nullable(),
        createdAt: instant,
        updatedAt: instant,
      }),
      timeline: z.array(event),
      ttsEvents: z.array(event),
      recording: z.object({ recordingUrl: z.string().nullable(), cellId: z.string().nullable() }),
      transcript: z.array(z.object({ speaker: z.enum(['agent', 'customer']), text: z.string(), at: instant })),
    }),
  },
);

/** OCS 4.14 except SIP settings; the event stream is in softphones/sse-softphone-sessions.ts. */
export function softphoneSessionHandlers(app: App): RouteHandler[] {
  return [
    handler(openSoftphoneRoute, ({ body, caller }) => openSession(app, caller, body)),
    handler(softphoneMessageRoute, async ({ params, body, caller }) => ({
      messageId: await say(app, caller, params.sessionId, body.text),
    })),
    handler(softphoneControlRoute, async ({ params, body, caller }) => ({
      type: body.type,
      softphoneCallId: await control(app, caller, params.sessionId, body),
    })),
    handler(softphoneNoteRoute, async ({ params, body, caller }) => {
      await updateNote(app, caller, params.sessionId, body.note);
      return { sessionId: params.sessionId, note: body.note };
    }),
    handler(endSoftphoneRoute, async ({ params, caller }) => ({
      sessionId: params.sessionId,
      ...(await endSoftphoneSession(app, caller, params.sessionId)),
    })),
    handler(getSoftphoneCallRoute, async ({ params, caller }) =>
      presentSoftphoneDetail(await getSoftphoneCall(app, caller, params.softphoneCallId)),
    ),
  ];
}
