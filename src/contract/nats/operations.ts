import { progressReport } from '../runtime/progress.ts';
import { busResultReport } from '../runtime/result.ts';
import type { BusMessageContract, BusOperation } from './bus-operation.ts';
import { commandAnswer, hangupCommand, startCommand } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import { INTERVENTION_OPERATIONS, MONITORING_OPERATIONS } from './monitoring-operations.ts';
import { POOL_OPERATIONS } from './pool-operations.ts';
import { SOFTPHONE_OPERATIONS } from './softphone-operations.ts';
import { TRANSFER_OPERATIONS } from './transfer-operations.ts';
import { campaignAnswer, campaignRequest, endCallAnswer, endCallRequest, scriptAnswer, scriptRequest } from './requests.ts';
import { emptySignal, liveDelta, sessionsEnded } from './signals.ts';
import {
  actorSubject,
  captionSubject,
  commandSubject,
  LIVE_SUBJECTS,
  RUNTIME_EVENTS_SUBJECT,
  runtimeSubject,
  SCRIPT_SUBJECTS,
  SESSION_ENDED_SUBJECT,
  WAKE_SUBJECTS,
} from './subjects.ts';

const CALL = '{requestId}';
const start = { name: 'StartCommand', schema: startCommand, example: EXAMPLES.start };
const hangup = { name: 'HangupCommand', schema: hangupCommand, example: EXAMPLES.hangup };
const answer = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };
const result = { name: 'ResultReport', schema: busResultReport, example: EXAMPLES.result };
const signal = { name: 'Signal', schema: emptySignal, example: {} };
const campaign = { name: 'CampaignRequest', schema: campaignRequest, example: {} };
const campaignReply = { name: 'CampaignAnswer', schema: campaignAnswer, example: EXAMPLES.campaignAnswer };

const progress = (example: unknown): BusMessageContract => ({ name: 'ProgressReport', schema: progressReport, example });

/** What travels between the server and the call-flow runtime. */
const RUNTIME_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'startCall',
    peer: 'runtime',
    action: 'send',
    address: commandSubject(CALL, 'start'),
    carrier: 'request',
    queue: 'callout-runtime',
    summary: '把已接通的通话交给话术运行时',
    detail:
      '交给未登记的（旧版）运行时：任一运行时以队列组订阅 callout.v1.command.*.start，1 秒内应答。订阅即视为名额不限；服务器以 callout.v1.command.probe.start 探测是否有人订阅，可以拒绝或不应答。同一请求可能重复到达：应答如前，不得启动第二次。接下后立即订阅 callout.v1.command.<requestId>.*，因此重复的请求总能找到原运行时。满载时应答 BUSY，或先退出队列组。',
    en: {
      summary: 'An answered call for any runtime',
      detail:
        'For runtimes that do not register (older ones): any of them, subscribed to callout.v1.command.*.start in the queue group, answers within 1 s. A subscription counts as unlimited places; the server asks callout.v1.command.probe.start whether anybody listens, which may be refused or ignored. The same request may come again: answer as before and start nothing twice. Having taken a call, subscribe to callout.v1.command.<requestId>.* at once, so that repetitions find you. When full, answer BUSY or leave the queue group.',
    },
    message: start,
    reply: answer,
  },
  {
    id: 'hangupCall',
    peer: 'runtime',
    action: 'send',
    address: commandSubject(CALL, 'hangup'),
    carrier: 'request',
    summary: '通话已在交换机上结束',
    detail: '运行时立即停止话术，并上报 ended 与 result。通话结束后 60 秒内仍须应答，服务器会重复此命令。',
    en: {
      summary: 'The call has ended at the switch',
      detail: 'Stop the script at once and report ended and result. Answer this for 60 s after the call: the server repeats it.',
    },
    message: hangup,
    reply: answer,
  },
  {
    id: 'reportStarted',
    peer: 'runtime',
    action: 'receive',
    address: runtimeSubject('started', CALL),
    carrier: 'stream',
    summary: '话术开始执行',
    detail: '写入 JetStream 流 RUNTIME，请求头 Nats-Msg-Id 为 <requestId>:started:<epoch>:<seq>。未得到流的确认须用同一 Nats-Msg-Id 重发。',
    en: {
      summary: 'The script has begun',
      detail:
        'Written to the JetStream stream RUNTIME with the header Nats-Msg-Id <requestId>:started:<epoch>:<seq>. Without the acknowledgement of the stream, send it again under the same Nats-Msg-Id.',
    },
    message: progress(EXAMPLES.started),
  },
  {
    id: 'reportIntervention',
    peer: 'runtime',
    action: 'receive',
    address: runtimeSubject('intervention', CALL),
    carrier: 'stream',
    summary: '人工介入的进展',
    detail:
      'Nats-Msg-Id 为 <requestId>:intervention:<epoch>:<seq>，seq 逐次递增。active 须以 agentId 给出坐席，或以 isOwnLeg: true 说明由运行时自己接入。',
    en: {
      summary: 'How a human intervention goes on',
      detail:
        'Nats-Msg-Id is <requestId>:intervention:<epoch>:<seq>, seq grows by one each time. active names the agent by agentId, or says isOwnLeg: true when the runtime has connected the person itself.',
    },
    message: progress(EXAMPLES.intervention),
  },
  {
    id: 'reportEnded',
    peer: 'runtime',
    action: 'receive',
    address: runtimeSubject('ended', CALL),
    carrier: 'stream',
    summary: '话术执行结束',
    detail: 'Nats-Msg-Id 为 <requestId>:ended:<epoch>:<seq>。',
    en: {
      summary: 'The script has come to its end',
      detail: 'Nats-Msg-Id is <requestId>:ended:<epoch>:<seq>.',
    },
    message: progress(EXAMPLES.ended),
  },
  {
    id: 'reportResult',
    peer: 'runtime',
    action: 'receive',
    address: runtimeSubject('result', CALL),
    carrier: 'stream',
    summary: '通话结果',
    detail:
      '每个接下的通话都必须上报一次结果，须有 callStatus；与 POST /api/call-results 相同。先到的结果为准，相同的重复结果不产生影响。Nats-Msg-Id 为 <requestId>:result:<epoch>:<seq>。',
    en: {
      summary: 'How the call went',
      detail:
        'Every call that was taken is reported once, with callStatus; as POST /api/call-results. The first result stands, the same again changes nothing. Nats-Msg-Id is <requestId>:result:<epoch>:<seq>.',
    },
    message: result,
  },
  {
    id: 'sendCaption',
    peer: 'runtime',
    action: 'receive',
    address: captionSubject(CALL),
    carrier: 'core',
    queue: 'callout-server',
    summary: '实时字幕',
    detail:
      'kind 为 segment 的进展事件，可用 events 合并 1 至 500 条。requestId 与 kind 均可省略，以主题为准；与主题不同则被拒绝。同一 segmentId 的后到文本覆盖先到文本；final 为 false 表示识别仍在进行。丢失的字幕不补发，结果中的 transcript 为准。',
    en: {
      summary: 'Live captions',
      detail:
        'Progress events of kind segment, 1 to 500 of them together in events. requestId and kind may be left out everywhere: the subject has them, and others than the subject’s are refused. The later text of a segmentId replaces the earlier; final: false says that recognition goes on. Lost captions are not made good: the transcript of the result counts.',
    },
    message: progress(EXAMPLES.caption),
  },
  {
    id: 'endCall',
    peer: 'runtime',
    credential: 'either',
    action: 'receive',
    address: actorSubject('call', CALL, 'hangup'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '请求挂断通话',
    detail: '话术走到终点后由运行时调用；通话已结束时仍应答成功。cause 须为大写字母、数字与 _。',
    en: {
      summary: 'Please hang up',
      detail:
        'Sent by the runtime at the end of its script; a call that is over is answered ok as well. A cause that is none (capitals, digits, _) is refused.',
    },
    message: { name: 'EndCallRequest', schema: endCallRequest, example: EXAMPLES.endCall },
    reply: { name: 'EndCallAnswer', schema: endCallAnswer, example: EXAMPLES.endCallAnswer },
  },
  {
    id: 'readScript',
    peer: 'runtime',
    action: 'receive',
    address: SCRIPT_SUBJECTS.replace('*', '{scriptId}'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '读取话术脚本的运行时 JSON',
    detail: 'version 为通话绑定的版本；版本内容不变，可按 id 与 version 缓存。未给出 version 时为当前版本。',
    en: {
      summary: 'Read the runtime JSON of a script',
      detail:
        'version is the one that the call is bound to; its content never changes and may be cached by id and version. Without it: the current one.',
    },
    message: { name: 'ScriptRequest', schema: scriptRequest, example: EXAMPLES.scriptRequest },
    reply: { name: 'ScriptAnswer', schema: scriptAnswer, example: EXAMPLES.scriptAnswer },
  },
];

/** What other clients may send, and what the instances of the server tell each other and their watchers. */
const SERVER_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'startCampaign',
    peer: 'client',
    credential: 'either',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'start'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '启动活动',
    detail: '规则与 PATCH /api/campaigns/:id 的 status=running 相同。',
    en: {
      summary: 'Start a campaign',
      detail: 'As PATCH /api/campaigns/:id with status=running.',
    },
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'pauseCampaign',
    peer: 'client',
    credential: 'either',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'pause'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '暂停活动',
    detail: '不再拨出；进行中的通话继续。',
    en: {
      summary: 'Pause a campaign',
      detail: 'Nothing more is dialled; live calls go on.',
    },
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'tellLiveDelta',
    peer: 'server',
    action: 'send',
    address: LIVE_SUBJECTS.replace('>', '{campaignId}.{userId}.{requestId}.{kind}'),
    carrier: 'core',
    summary: '通话快照的增量',
    detail: 'userId 为当前监听坐席，没有时为 _。version 不连续表示丢失了增量，应重新读取快照。',
    en: {
      summary: 'A change of a live call',
      detail:
        'userId is the monitoring user, _ when there is none. A gap in version means that changes were lost: read the snapshot again.',
    },
    message: { name: 'LiveDelta', schema: liveDelta, example: EXAMPLES.liveDelta },
  },
  {
    id: 'wakeCampaign',
    peer: 'server',
    action: 'send',
    address: WAKE_SUBJECTS.replace('*', '{campaignId}'),
    carrier: 'core',
    summary: '唤醒活动的调度',
    detail: '名额释放、联系人增加或策略变化时发出；campaignId 为 all 时唤醒全部运行中的活动。',
    en: {
      summary: 'Wake the dispatch of a campaign',
      detail: 'Sent when a place is free, contacts come or a policy changes; campaignId all wakes every running campaign.',
    },
    message: signal,
  },
  {
    id: 'tellRuntimeEvent',
    peer: 'server',
    action: 'send',
    address: RUNTIME_EVENTS_SUBJECT,
    carrier: 'core',
    summary: '写入了一条运行事件',
    detail: '内容从 GET /api/runtime/events 读取。',
    en: {
      summary: 'A runtime event was written',
      detail: 'Read it from GET /api/runtime/events.',
    },
    message: signal,
  },
  {
    id: 'tellSessionsEnded',
    peer: 'server',
    action: 'send',
    address: SESSION_ENDED_SUBJECT,
    carrier: 'core',
    summary: '登录会话已失效',
    detail: '各实例据此关闭这些会话的事件流。',
    en: {
      summary: 'Sessions have ended',
      detail: 'Instances close the event streams of these sessions.',
    },
    message: { name: 'SessionsEnded', schema: sessionsEnded, example: EXAMPLES.sessionsEnded },
  },
];

/** Every operation of the bus, in the order of the page. Source: A4 */
export const BUS_OPERATIONS: readonly BusOperation[] = [
  ...POOL_OPERATIONS,
  ...RUNTIME_OPERATIONS,
  ...INTERVENTION_OPERATIONS,
  ...TRANSFER_OPERATIONS,
  ...SOFTPHONE_OPERATIONS,
  ...MONITORING_OPERATIONS,
  ...SERVER_OPERATIONS,
];
