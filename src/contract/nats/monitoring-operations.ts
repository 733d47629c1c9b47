import type { BusMessageContract, BusOperation } from './bus-operation.ts';
import { commandAnswer } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import {
  cancelCommand,
  claimRequest,
  consumeAnswer,
  consumeRequest,
  heartbeatAnswer,
  heartbeatRequest,
  interveneCommand,
  interventionAnswer,
  leaveAnswer,
  releaseAnswer,
  sessionRequest,
} from './monitoring.ts';
import { actorSubject, commandSubject } from './subjects.ts';

const CALL = '{requestId}';
const session: BusMessageContract = { name: 'SessionRequest', schema: sessionRequest, example: EXAMPLES.session };
const intervention: BusMessageContract = { name: 'InterventionAnswer', schema: interventionAnswer, example: EXAMPLES.interventionAnswer };
const acknowledged: BusMessageContract = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };
const asked = { action: 'receive', carrier: 'request', queue: 'callout-server' } as const;

/** Human intervention between server and runtime. Source: A4, A7 */
export const INTERVENTION_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'intervene',
    peer: 'runtime',
    action: 'send',
    address: commandSubject(CALL, 'intervene'),
    carrier: 'request',
    summary: '有人申请介入通话',
    detail:
      '运行时记下申请并立即应答。when 为 boundary：当前一句或收听结束后发送 consume，结束节点和道别前后也是边界；when 为 now：立即停止播放和收听再发送 consume。未应答时服务器重复此命令，30 秒后申请失效。',
    en: {
      summary: 'Somebody asks to step in',
      detail:
        'Keep it and answer at once. when: boundary sends consume after the sentence or the listening, before and after a goodbye too; when: now stops speaking and listening first. Unanswered, it is repeated; after 30 s it has lapsed.',
    },
    message: { name: 'InterveneCommand', schema: interveneCommand, example: EXAMPLES.intervene },
    reply: acknowledged,
  },
  {
    id: 'cancelIntervention',
    peer: 'runtime',
    action: 'send',
    address: commandSubject(CALL, 'cancel'),
    carrier: 'request',
    summary: '介入申请已取消或失效',
    detail: '运行时放弃未 consume 的申请。取消与 consume 同时发生时，以 consume 的应答为准。',
    en: {
      summary: 'The request to step in is withdrawn or has lapsed',
      detail: 'Forget it unless it was consumed. When both happen at once, the answer to consume decides.',
    },
    message: { name: 'CancelCommand', schema: cancelCommand, example: EXAMPLES.cancelCommand },
    reply: acknowledged,
  },
  {
    id: 'consumeIntervention',
    peer: 'runtime',
    credential: 'internalToken',
    ...asked,
    address: actorSubject('intervention', CALL, 'consume'),
    summary: '请求开始转接',
    detail: '由运行时在节点边界发送；consumed 为 true 时立即转接，并上报 intervention 的 active、ended 或 failed。重复请求得到同样的应答。',
    en: {
      summary: 'May the transfer begin?',
      detail:
        'Sent at a boundary of the script. consumed: true begins the transfer at once; then report the intervention active, ended or failed. The same question gets the same answer.',
    },
    message: { name: 'ConsumeRequest', schema: consumeRequest, example: EXAMPLES.consume },
    reply: { name: 'ConsumeAnswer', schema: consumeAnswer, example: EXAMPLES.consumeAnswer },
  },
];

/** What monitors may ask over the bus; rules and answers are those of REST. Source: OCS 4.12 */
export const MONITORING_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'heartbeat',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'heartbeat'),
    summary: '监听在线心跳',
    detail: '与 POST /api/live-monitor/heartbeat 相同。',
    en: {
      summary: 'A monitor is present',
      detail: 'As POST /api/live-monitor/heartbeat.',
    },
    message: { name: 'HeartbeatRequest', schema: heartbeatRequest, example: EXAMPLES.heartbeat },
    reply: { name: 'HeartbeatAnswer', schema: heartbeatAnswer, example: EXAMPLES.heartbeatAnswer },
  },
  {
    id: 'leaveMonitoring',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'leave'),
    summary: '退出监听',
    detail: '与 DELETE /api/live-monitor/presence 相同。',
    en: {
      summary: 'A monitor leaves',
      detail: 'As DELETE /api/live-monitor/presence.',
    },
    message: session,
    reply: { name: 'LeaveAnswer', schema: leaveAnswer, example: EXAMPLES.leaveAnswer },
  },
  {
    id: 'claimIntervention',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'claim'),
    summary: '申请人工介入',
    detail: '与 POST /api/live-calls/:callKey/intervene 相同；when 为 now 时立即打断机器人。',
    en: {
      summary: 'Ask to step in',
      detail: 'As POST /api/live-calls/:callKey/intervene; when: now interrupts the machine at once.',
    },
    message: { name: 'ClaimRequest', schema: claimRequest, example: EXAMPLES.claim },
    reply: intervention,
  },
  {
    id: 'withdrawIntervention',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'cancel'),
    summary: '取消人工介入申请',
    detail: '与 POST /api/live-calls/:callKey/intervention/cancel 相同。',
    en: {
      summary: 'Withdraw the request to step in',
      detail: 'As POST /api/live-calls/:callKey/intervention/cancel.',
    },
    message: session,
    reply: intervention,
  },
  {
    id: 'releaseCall',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'release'),
    summary: '让出通话的监听',
    detail: '与 POST /api/live-calls/:callKey/release 相同。',
    en: {
      summary: 'Give a monitored call away',
      detail: 'As POST /api/live-calls/:callKey/release.',
    },
    message: session,
    reply: { name: 'ReleaseAnswer', schema: releaseAnswer, example: EXAMPLES.endCallAnswer },
  },
];
