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
    action: 'send',
    address: SOFTPHONE_OPEN_SUBJECT,
    carrier: 'request',
    queue: 'callout-runtime',
    summary: '坐席网页话机请求实时会话',
    detail: '服务器先写入通话记录，再发此请求；3 秒内无应答则返回 502，记录标记为 failed。坐席进入会议后由服务器呼叫客户。',
    message: { name: 'OpenSoftphoneRequest', schema: openSoftphoneRequest, example: EXAMPLES.openSoftphone },
    reply: { name: 'OpenSoftphoneAnswer', schema: openSoftphoneAnswer, example: EXAMPLES.openSoftphoneAnswer },
  },
  {
    id: 'saySoftphone',
    action: 'send',
    address: softphoneCommandSubject(SESSION, 'say'),
    carrier: 'request',
    summary: '文字转语音播放给客户',
    detail: '立即应答；播放进度以 tts 事件上报。',
    message: { name: 'SaySoftphoneCommand', schema: saySoftphoneCommand, example: EXAMPLES.saySoftphone },
    reply,
  },
  {
    id: 'endSoftphone',
    action: 'send',
    address: softphoneCommandSubject(SESSION, 'end'),
    carrier: 'request',
    summary: '网页话机会话已结束',
    detail: '运行时释放会话占用的资源。',
    message: { name: 'EndSoftphoneCommand', schema: endSoftphoneCommand, example: { cause: 'NORMAL_CLEARING' } },
    reply,
  },
  {
    id: 'reportSoftphone',
    action: 'receive',
    address: softphoneReportSubject(SESSION),
    carrier: 'core',
    queue: 'callout-server',
    summary: '网页话机会话的进展',
    detail: '写入通话记录，并推送到 GET /api/softphone-sessions/:sessionId/events。',
    message: { name: 'SoftphoneReport', schema: softphoneReport, example: EXAMPLES.softphoneReport },
  },
  {
    id: 'tellSoftphone',
    action: 'send',
    address: SOFTPHONE_SIGNAL_SUBJECT,
    carrier: 'core',
    summary: '网页话机会话有新事件',
    detail: '各实例据此读取新事件并推送；丢失的信号由定时读取弥补。',
    message: { name: 'SoftphoneSignal', schema: softphoneSignal, example: { softphoneCallId: 407 } },
  },
];
