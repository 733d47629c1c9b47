import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, rowId } from '#kernel/fields.ts';
import { BETWEEN_SERVERS, type BusOperation, described, TO_RUNTIME } from './bus-operation.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { COMMAND_REFUSALS, commandAnswer } from './hand-over.ts';
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
  .meta({ id: 'OpenSoftphoneRequest', description: '坐席网页话机请求实时会话，运行时 3 秒内应答' });

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
  .meta({ id: 'SoftphoneReport', description: '运行时上报：语音播放进度、双方话语的识别结果、错误' });

/** Announces a new event of a session to the streams of other instances, which then read it. */
export const softphoneSignal = z.object({ softphoneCallId: bigRowId }).meta({ id: 'SoftphoneSignal', description: '会话有新事件' });

export type SoftphoneReport = z.output<typeof softphoneReport>;

const SESSION = '{sessionId}';
const reply = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };

/** Sessions of browser phones. Source: A4, D12.4 */
export const SOFTPHONE_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'openSoftphone',
    ...TO_RUNTIME,
    address: SOFTPHONE_OPEN_SUBJECT,
    queue: 'callout-runtime',
    message: { name: 'OpenSoftphoneRequest', schema: openSoftphoneRequest, example: EXAMPLES.openSoftphone },
    reply: { name: 'OpenSoftphoneAnswer', schema: openSoftphoneAnswer, example: EXAMPLES.openSoftphoneAnswer },
  },
  {
    id: 'saySoftphone',
    ...TO_RUNTIME,
    address: softphoneCommandSubject(SESSION, 'say'),
    message: { name: 'SaySoftphoneCommand', schema: saySoftphoneCommand, example: EXAMPLES.saySoftphone },
    reply,
  },
  {
    id: 'endSoftphone',
    ...TO_RUNTIME,
    address: softphoneCommandSubject(SESSION, 'end'),
    message: { name: 'EndSoftphoneCommand', schema: endSoftphoneCommand, example: { cause: 'NORMAL_CLEARING' } },
    reply,
  },
  {
    id: 'reportSoftphone',
    peer: 'runtime',
    credential: 'proof',
    action: 'receive',
    address: softphoneReportSubject(SESSION),
    carrier: 'core',
    queue: 'callout-server',
    message: { name: 'SoftphoneReport', schema: softphoneReport, example: EXAMPLES.softphoneReport },
  },
  {
    id: 'tellSoftphone',
    ...BETWEEN_SERVERS,
    address: SOFTPHONE_SIGNAL_SUBJECT,
    message: { name: 'SoftphoneSignal', schema: softphoneSignal, example: { softphoneCallId: 407 } },
  },
]);
