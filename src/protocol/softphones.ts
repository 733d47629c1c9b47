import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, rowId } from '#kernel/fields.ts';
import { BETWEEN_SERVERS, type BusOperation, TO_RUNTIME } from './bus-operation.ts';
import { COMMAND_REFUSALS, COMMAND_REPLY } from './hand-over.ts';
import { ownership } from './result.ts';
import { SOFTPHONE_OPEN_SUBJECT, SOFTPHONE_SIGNAL_SUBJECT, softphoneCommandSubject, softphoneReportSubject } from './subjects.ts';

const MAX_SERVICE_NUMBER_LENGTH = 64;
const MAX_HEADERS = 20;
const MAX_TEXT_LENGTH = 4_000;
const MAX_ID_LENGTH = 64;
/** Names and values of SIP headers that a browser adds to its INVITE; the patterns exclude line breaks. */
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,256}$/;

/** Source: A4, D12.4 */
export const openSoftphoneRequest = z
  .object({
    sessionId: z.uuid(),
    softphoneCallId: bigRowId,
    agentId: rowId,
    phoneExtension: z.string(),
    conferenceName: z.string(),
    conferenceProfile: z.string(),
    cellId: z.string(),
    phoneNumber: z.string(),
    campaignId: rowId.nullable(),
    contactId: bigRowId.nullable(),
  })
  .meta({ id: 'OpenSoftphoneRequest', description: '坐席网页话机请求实时会话，话术引擎 3 秒内应答' });

export const openSoftphoneAnswer = z
  .discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      serviceNumber: z.string().min(1).max(MAX_SERVICE_NUMBER_LENGTH),
      sipExtraHeaders: z
        .record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE))
        .refine(headers => Object.keys(headers).length <= MAX_HEADERS, issue('itemsAtMost', { max: MAX_HEADERS })),
    }),
    z.object({ ok: z.literal(false), code: z.enum(COMMAND_REFUSALS), msg: z.string() }),
  ])
  .meta({ id: 'OpenSoftphoneAnswer', description: '浏览器应呼叫的号码，及须原样带上的 SIP 头；呼叫须进入给定的会议' });

export const saySoftphoneCommand = z
  .object({
    messageId: z.string().max(MAX_ID_LENGTH),
    text: z.string().min(1).max(MAX_TEXT_LENGTH),
    cellId: z.string(),
    conferenceName: z.string(),
    customerUuid: z.string().meta({ description: '客户通道的 uuid，语音合成在此播放' }),
  })
  .meta({ id: 'SaySoftphoneCommand', description: '将坐席输入的文字合成语音播放给客户' });

const endSoftphoneCommand = z
  .object({ cause: z.string().max(MAX_ID_LENGTH) })
  .meta({ id: 'EndSoftphoneCommand', description: '会话已结束' });

/** Members as in the reports of calls; `sessionId` may be absent, because the subject carries it. */
const reporter = {
  sessionId: z.string().optional().meta({ description: '可省略；与主题中的不同则被拒绝' }),
  runtimeId: ownership.runtimeId,
};

/** Event of a browser phone's session, as its runtime reports it. Source: D10, D12.4 */
export const softphoneReport = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('tts'),
      ...reporter,
      messageId: z.string().max(MAX_ID_LENGTH),
      status: z.enum(['started', 'finished', 'failed']),
    }),
    z.object({
      kind: z.literal('message'),
      ...reporter,
      messageId: z.string().max(MAX_ID_LENGTH),
      speaker: z.enum(['agent', 'customer']),
      text: z.string().min(1).max(MAX_TEXT_LENGTH),
    }),
    z.object({ kind: z.literal('error'), ...reporter, message: z.string().min(1).max(MAX_TEXT_LENGTH) }),
  ])
  .meta({ id: 'SoftphoneReport', description: '话术引擎上报：语音播放进度、双方话语的识别结果、错误' });

/** Announces a new event of a session to the streams of other instances, which then read it. */
export const softphoneSignal = z.object({ softphoneCallId: bigRowId }).meta({ id: 'SoftphoneSignal', description: '会话有新事件' });

export type SoftphoneReport = z.output<typeof softphoneReport>;

const SESSION = '{sessionId}';

/** Sessions of browser phones. Source: A4, D12.4 */
export const SOFTPHONE_OPERATIONS = [
  {
    id: 'openSoftphone',
    summary: '坐席网页话机请求实时会话',
    detail: '服务器先写入通话记录，再发此请求；3 秒内无应答则返回 502，记录标记为 failed。坐席进入会议后由服务器呼叫客户。',
    en: {
      summary: 'An agent’s browser phone asks for a session',
      detail:
        'The record is written first. Unanswered for 3 s, the request fails with 502 and the record says failed. When the agent is in the conference, the server calls the customer.',
    },
    ...TO_RUNTIME,
    address: SOFTPHONE_OPEN_SUBJECT,
    queue: 'callout-runtime',
    message: {
      name: 'OpenSoftphoneRequest',
      schema: openSoftphoneRequest,
      example: {
        sessionId: '7b0e5a52-3c3d-4a69-9f0e-6a4c6d1f2b3c',
        softphoneCallId: 407,
        agentId: 12,
        phoneExtension: '1005',
        conferenceName: 'callout-0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
        conferenceProfile: 'default',
        cellId: 'cell-a',
        phoneNumber: '13800000000',
        campaignId: 3,
        contactId: null,
      },
    },
    reply: {
      name: 'OpenSoftphoneAnswer',
      schema: openSoftphoneAnswer,
      example: {
        ok: true,
        serviceNumber: '8800',
        sipExtraHeaders: { 'X-Callout-Conference': 'callout-0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d' },
      },
    },
  },
  {
    id: 'saySoftphone',
    summary: '文字转语音播放给客户',
    detail: '立即应答；播放进度以 tts 事件上报。',
    en: { summary: 'Speak a text to the customer', detail: 'Answer at once; tts events tell how the speech goes on.' },
    ...TO_RUNTIME,
    address: softphoneCommandSubject(SESSION, 'say'),
    message: {
      name: 'SaySoftphoneCommand',
      schema: saySoftphoneCommand,
      example: {
        messageId: '0d2a1f4e-5b6c-4d7e-8f90-a1b2c3d4e5f6',
        text: '请您稍等，我帮您查询。',
        cellId: 'cell-a',
        conferenceName: 'callout-0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
        customerUuid: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      },
    },
    reply: COMMAND_REPLY,
  },
  {
    id: 'endSoftphone',
    summary: '网页话机会话已结束',
    detail: '话术引擎释放会话占用的资源。',
    en: { summary: 'The session is over', detail: 'Let go of what the session held.' },
    ...TO_RUNTIME,
    address: softphoneCommandSubject(SESSION, 'end'),
    message: { name: 'EndSoftphoneCommand', schema: endSoftphoneCommand, example: { cause: 'NORMAL_CLEARING' } },
    reply: COMMAND_REPLY,
  },
  {
    id: 'reportSoftphone',
    summary: '网页话机会话的进展',
    detail: '写入通话记录，并推送到 GET /api/softphone-sessions/:sessionId/events。sessionId 可省略，以主题为准。',
    en: {
      summary: 'What happens in a browser phone’s session',
      detail:
        'Written to the call’s record and sent to GET /api/softphone-sessions/:sessionId/events. sessionId may be left out: the subject has it.',
    },
    peer: 'runtime',
    credential: 'proof',
    action: 'receive',
    address: softphoneReportSubject(SESSION),
    carrier: 'core',
    queue: 'callout-server',
    message: {
      name: 'SoftphoneReport',
      schema: softphoneReport,
      example: { kind: 'tts', messageId: '0d2a1f4e-5b6c-4d7e-8f90-a1b2c3d4e5f6', status: 'finished' },
    },
  },
  {
    id: 'tellSoftphone',
    summary: '网页话机会话有新事件',
    detail: '各实例据此读取新事件并推送；丢失的信号由定时读取弥补。',
    en: { summary: 'A session has news', detail: 'Instances read it and push it on; a timed look makes lost signals good.' },
    ...BETWEEN_SERVERS,
    address: SOFTPHONE_SIGNAL_SUBJECT,
    message: { name: 'SoftphoneSignal', schema: softphoneSignal, example: { softphoneCallId: 407 } },
  },
] as const satisfies readonly BusOperation[];
