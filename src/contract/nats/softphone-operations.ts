import type { BusOperation } from './bus-operation.ts';
import { commandAnswer } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import {
  endSoftphoneCommand,
  openSoftphoneAnswer,
  openSoftphoneRequest,
  saySoftphoneCommand,
  softphoneReport,
  softphoneSignal,
} from './softphone.ts';
import { SOFTPHONE_OPEN_SUBJECT, SOFTPHONE_SIGNAL_SUBJECT, softphoneCommandSubject, softphoneReportSubject } from './subjects.ts';

const SESSION = '{sessionId}';
const reply = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };

/** Sessions of browser phones. Source: A4, D12.4 */
export const SOFTPHONE_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'openSoftphone',
    peer: 'runtime',
    action: 'send',
    address: SOFTPHONE_OPEN_SUBJECT,
    carrier: 'request',
    queue: 'callout-runtime',
    summary: '坐席网页话机请求实时会话',
    detail: '服务器先写入通话记录，再发此请求；3 秒内无应答则返回 502，记录标记为 failed。坐席进入会议后由服务器呼叫客户。',
    en: {
      summary: 'An agent’s browser phone asks for a session',
      detail:
        'The record is written first. Unanswered for 3 s, the request fails with 502 and the record says failed. When the agent is in the conference, the server calls the customer.',
    },
    message: { name: 'OpenSoftphoneRequest', schema: openSoftphoneRequest, example: EXAMPLES.openSoftphone },
    reply: { name: 'OpenSoftphoneAnswer', schema: openSoftphoneAnswer, example: EXAMPLES.openSoftphoneAnswer },
  },
  {
    id: 'saySoftphone',
    peer: 'runtime',
    action: 'send',
    address: softphoneCommandSubject(SESSION, 'say'),
    carrier: 'request',
    summary: '文字转语音播放给客户',
    detail: '立即应答；播放进度以 tts 事件上报。',
    en: {
      summary: 'Speak a text to the customer',
      detail: 'Answer at once; tts events tell how the speech goes on.',
    },
    message: { name: 'SaySoftphoneCommand', schema: saySoftphoneCommand, example: EXAMPLES.saySoftphone },
    reply,
  },
  {
    id: 'endSoftphone',
    peer: 'runtime',
    action: 'send',
    address: softphoneCommandSubject(SESSION, 'end'),
    carrier: 'request',
    summary: '网页话机会话已结束',
    detail: '运行时释放会话占用的资源。',
    en: {
      summary: 'The session is over',
      detail: 'Let go of what the session held.',
    },
    message: { name: 'EndSoftphoneCommand', schema: endSoftphoneCommand, example: { cause: 'NORMAL_CLEARING' } },
    reply,
  },
  {
    id: 'reportSoftphone',
    peer: 'runtime',
    action: 'receive',
    address: softphoneReportSubject(SESSION),
    carrier: 'core',
    queue: 'callout-server',
    summary: '网页话机会话的进展',
    detail: '写入通话记录，并推送到 GET /api/softphone-sessions/:sessionId/events。sessionId 可省略，以主题为准。',
    en: {
      summary: 'What happens in a browser phone’s session',
      detail:
        'Written to the call’s record and sent to GET /api/softphone-sessions/:sessionId/events. sessionId may be left out: the subject has it.',
    },
    message: { name: 'SoftphoneReport', schema: softphoneReport, example: EXAMPLES.softphoneReport },
  },
  {
    id: 'tellSoftphone',
    peer: 'server',
    action: 'send',
    address: SOFTPHONE_SIGNAL_SUBJECT,
    carrier: 'core',
    summary: '网页话机会话有新事件',
    detail: '各实例据此读取新事件并推送；丢失的信号由定时读取弥补。',
    en: {
      summary: 'A session has news',
      detail: 'Instances read it and push it on; a timed look makes lost signals good.',
    },
    message: { name: 'SoftphoneSignal', schema: softphoneSignal, example: { softphoneCallId: 407 } },
  },
];
