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
    action: 'send',
    address: commandSubject(CALL, 'start'),
    carrier: 'request',
    queue: 'callout-runtime',
    summary: '把已接通的通话交给话术运行时',
    detail:
      '交给未登记的（旧版）运行时：任一运行时以队列组订阅 callout.v1.command.*.start，1 秒内应答。订阅即视为名额不限；服务器以 callout.v1.command.probe.start 探测是否有人订阅，可以拒绝或不应答。同一请求可能重复到达：应答如前，不得启动第二次。接下后立即订阅 callout.v1.command.<requestId>.*，因此重复的请求总能找到原运行时。满载时应答 BUSY，或先退出队列组。',
    message: start,
    reply: answer,
  },
  {
    id: 'hangupCall',
    action: 'send',
    address: commandSubject(CALL, 'hangup'),
    carrier: 'request',
    summary: '通话已在交换机上结束',
    detail: '运行时立即停止话术，并上报 ended 与 result。通话结束后 60 秒内仍须应答，服务器会重复此命令。',
    message: hangup,
    reply: answer,
  },
  {
    id: 'reportStarted',
    action: 'receive',
    address: runtimeSubject('started', CALL),
    carrier: 'stream',
    summary: '话术开始执行',
    detail: '写入 JetStream 流 RUNTIME，请求头 Nats-Msg-Id 为 <requestId>:started:<seq>。未得到流的确认须用同一 Nats-Msg-Id 重发。',
    message: progress(EXAMPLES.started),
  },
  {
    id: 'reportIntervention',
    action: 'receive',
    address: runtimeSubject('intervention', CALL),
    carrier: 'stream',
    summary: '人工介入的进展',
    detail: 'Nats-Msg-Id 为 <requestId>:intervention:<seq>，seq 逐次递增。',
    message: progress(EXAMPLES.intervention),
  },
  {
    id: 'reportEnded',
    action: 'receive',
    address: runtimeSubject('ended', CALL),
    carrier: 'stream',
    summary: '话术执行结束',
    detail: 'Nats-Msg-Id 为 <requestId>:ended:<seq>。',
    message: progress(EXAMPLES.ended),
  },
  {
    id: 'reportResult',
    action: 'receive',
    address: runtimeSubject('result', CALL),
    carrier: 'stream',
    summary: '通话结果',
    detail:
      '每个接下的通话都必须上报一次结果；与 POST /api/call-results 相同。先到的结果为准，相同的重复结果不产生影响。Nats-Msg-Id 为 <requestId>:result:<seq>。',
    message: result,
  },
  {
    id: 'sendCaption',
    action: 'receive',
    address: captionSubject(CALL),
    carrier: 'core',
    queue: 'callout-server',
    summary: '实时字幕',
    detail:
      'kind 为 segment 的进展事件，可用 events 合并 1 至 500 条。同一 segmentId 的后到文本覆盖先到文本；final 为 false 表示识别仍在进行。丢失的字幕不补发，结果中的 transcript 为准。',
    message: progress(EXAMPLES.caption),
  },
  {
    id: 'endCall',
    action: 'receive',
    address: actorSubject('call', CALL, 'hangup'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '请求挂断通话',
    detail: '话术走到终点后由运行时调用；通话已结束时仍应答成功。',
    message: { name: 'EndCallRequest', schema: endCallRequest, example: EXAMPLES.endCall },
    reply: { name: 'EndCallAnswer', schema: endCallAnswer, example: EXAMPLES.endCallAnswer },
  },
  {
    id: 'readScript',
    action: 'receive',
    address: SCRIPT_SUBJECTS.replace('*', '{scriptId}'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '读取话术脚本的运行时 JSON',
    detail: 'version 为通话绑定的版本；版本内容不变，可按 id 与 version 缓存。未给出 version 时为当前版本。',
    message: { name: 'ScriptRequest', schema: scriptRequest, example: EXAMPLES.scriptRequest },
    reply: { name: 'ScriptAnswer', schema: scriptAnswer, example: EXAMPLES.scriptAnswer },
  },
];

/** What other clients may send, and what the instances of the server tell each other and their watchers. */
const SERVER_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'startCampaign',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'start'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '启动活动',
    detail: '规则与 PATCH /api/campaigns/:id 的 status=running 相同。',
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'pauseCampaign',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'pause'),
    carrier: 'request',
    queue: 'callout-server',
    summary: '暂停活动',
    detail: '不再拨出；进行中的通话继续。',
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'tellLiveDelta',
    action: 'send',
    address: LIVE_SUBJECTS.replace('>', '{campaignId}.{userId}.{requestId}.{kind}'),
    carrier: 'core',
    summary: '通话快照的增量',
    detail: 'userId 为当前监听坐席，没有时为 _。version 不连续表示丢失了增量，应重新读取快照。',
    message: { name: 'LiveDelta', schema: liveDelta, example: EXAMPLES.liveDelta },
  },
  {
    id: 'wakeCampaign',
    action: 'send',
    address: WAKE_SUBJECTS.replace('*', '{campaignId}'),
    carrier: 'core',
    summary: '唤醒活动的调度',
    detail: '名额释放、联系人增加或策略变化时发出；campaignId 为 all 时唤醒全部运行中的活动。',
    message: signal,
  },
  {
    id: 'tellRuntimeEvent',
    action: 'send',
    address: RUNTIME_EVENTS_SUBJECT,
    carrier: 'core',
    summary: '写入了一条运行事件',
    detail: '内容从 GET /api/runtime/events 读取。',
    message: signal,
  },
  {
    id: 'tellSessionsEnded',
    action: 'send',
    address: SESSION_ENDED_SUBJECT,
    carrier: 'core',
    summary: '登录会话已失效',
    detail: '各实例据此关闭这些会话的事件流。',
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
