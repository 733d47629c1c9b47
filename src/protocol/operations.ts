import { progressReport } from './progress.ts';
import { busResultReport } from './result.ts';
import { TO_RUNTIME, REPORTED, BETWEEN_SERVERS, FROM_RUNTIME, type BusMessageContract, type BusOperation } from './bus-operation.ts';
import { hangupCommand, startCommand, startExample, COMMAND_REPLY } from './hand-over.ts';
import { GUIDANCE_OPERATIONS } from './guidance.ts';
import { INTERVENTION_OPERATIONS, MONITORING_OPERATIONS } from './interventions.ts';
import { POOL_OPERATIONS } from './pool.ts';
import { SOFTPHONE_OPERATIONS } from './softphones.ts';
import { TRANSFER_OPERATIONS } from './transfers.ts';
import {
  campaignAnswer,
  campaignRequest,
  endCallAnswer,
  endCallRequest,
  scriptAnswer,
  scriptRequest,
  endCallAnswerExample,
} from './requests.ts';
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
const start = { name: 'StartCommand', schema: startCommand, example: startExample };
const hangup = { name: 'HangupCommand', schema: hangupCommand, example: { cause: 'NORMAL_CLEARING', by: 'customer' } };
const result = {
  name: 'ResultReport',
  schema: busResultReport,
  example: {
    requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
    attemptId: 18204,
    callStatus: 'completed',
    answeredAt: '2026-10-01T09:00:00.000Z',
    endedAt: '2026-10-01T09:00:31.000Z',
    durationSeconds: 31,
    hangupCause: 'NORMAL_CLEARING',
    hangupBy: 'bot',
    classification: 'A',
    intent: '有意向',
    optOut: false,
    transcript: [
      { speaker: 'bot', text: '您好，这里是示例营业厅。', startMs: 600, endMs: 3100, nodeId: 'greet' },
      { speaker: 'customer', text: '可以，我正好想了解一下。', startMs: 7900, endMs: 9400, nodeId: 'ask_interest' },
    ],
    payload: {
      result: { recognizedText: '可以，我正好想了解一下。', fields: { contact_time: '2026-12-03T15:00:00+08:00', consent: true } },
    },
  },
};
const signal = { name: 'Signal', schema: emptySignal, example: {} };
const campaign = { name: 'CampaignRequest', schema: campaignRequest, example: {} };
const campaignReply = { name: 'CampaignAnswer', schema: campaignAnswer, example: { ok: true, data: { status: 'running' } } };

const progress = (example: unknown): BusMessageContract => ({ name: 'ProgressReport', schema: progressReport, example });

/** Messages between the server and the call-flow runtime. */
const RUNTIME_OPERATIONS = [
  {
    id: 'startCall',
    summary: '把已接通的通话交给话术引擎',
    detail:
      '交给未登记的（旧版）话术引擎：任一话术引擎以队列组订阅 callout.v1.command.*.start，1 秒内应答。服务器以 callout.v1.command.probe.start（空的 start）探测：以 CommandAnswer 应答（拒绝即可，如 INVALID；接受则须带 runtimeId）后视为名额不限，只订阅而不应答的不算话术引擎。同一请求可能重复到达：应答如前，不得启动第二次。接下后立即订阅 callout.v1.command.<requestId>.*，因此重复的请求总能找到原话术引擎。满载时应答 BUSY，或先退出队列组。',
    en: {
      summary: 'An answered call for any runtime',
      detail:
        'For runtimes that do not register (older ones): any of them, subscribed to callout.v1.command.*.start in the queue group, answers within 1 s. The server probes with callout.v1.command.probe.start (an empty start): who answers with a CommandAnswer (a refusal such as INVALID will do; an ok must name the runtimeId) counts as unlimited places, who only listens as nobody. The same request may come again: answer as before and start nothing twice. Having taken a call, subscribe to callout.v1.command.<requestId>.* at once, so that repetitions find you. When full, answer BUSY or leave the queue group.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'start'),
    queue: 'callout-runtime',
    message: start,
    reply: COMMAND_REPLY,
  },
  {
    id: 'hangupCall',
    summary: '通话已在交换机上结束',
    detail: '话术引擎立即停止话术，并上报 ended 与 result。通话结束后 60 秒内仍须应答，服务器会重复此命令。',
    en: {
      summary: 'The call has ended at the switch',
      detail: 'Stop the script at once and report ended and result. Answer this for 60 s after the call: the server repeats it.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'hangup'),
    message: hangup,
    reply: COMMAND_REPLY,
  },
  {
    id: 'pingCall',
    summary: '询问通话是否仍由该话术引擎执行',
    detail:
      '通话进行中及结束后 60 秒内立即应答 ok，并给出 runtimeId 与 epoch；没有应答者（no responders）即视为通话无人执行，约 15 秒后再问一次，仍无人则交给其他话术引擎。因此须订阅 callout.v1.command.<requestId>.*，而不是逐个命令。',
    en: {
      summary: 'Is the call still with you?',
      detail:
        'Answer ok at once with runtimeId and epoch, during the call and for 60 s after it. Where nobody listens (no responders), nobody has the call: asked once more after 15 s, it is given to another runtime. Subscribe to callout.v1.command.<requestId>.*, therefore, and not to single commands.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'ping'),
    message: signal,
    reply: COMMAND_REPLY,
  },
  {
    id: 'reportStarted',
    summary: '话术开始执行',
    detail: '写入 JetStream 流 RUNTIME，请求头 Nats-Msg-Id 为 <requestId>:started:<epoch>:<seq>。未得到流的确认须用同一 Nats-Msg-Id 重发。',
    en: {
      summary: 'The script has begun',
      detail:
        'Written to the JetStream stream RUNTIME with the header Nats-Msg-Id <requestId>:started:<epoch>:<seq>. Without the acknowledgement of the stream, send it again under the same Nats-Msg-Id.',
    },
    ...REPORTED,
    address: runtimeSubject('started', CALL),
    message: progress({
      requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      attemptId: 18204,
      kind: 'started',
      seq: 0,
      at: '2026-10-01T09:00:00.000Z',
    }),
  },
  {
    id: 'reportIntervention',
    summary: '人工介入的进展',
    detail:
      'Nats-Msg-Id 为 <requestId>:intervention:<epoch>:<seq>，seq 逐次递增。active 须以 agentId 给出坐席，或以 isOwnLeg: true 说明由话术引擎自己接入。',
    en: {
      summary: 'How a human intervention goes on',
      detail:
        'Nats-Msg-Id is <requestId>:intervention:<epoch>:<seq>, seq grows by one each time. active names the agent by agentId, or says isOwnLeg: true when the runtime has connected the person itself.',
    },
    ...REPORTED,
    address: runtimeSubject('intervention', CALL),
    message: progress({
      requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      kind: 'intervention',
      seq: 1,
      at: '2026-10-01T09:00:12.000Z',
      intervention: { id: 'iv-1', status: 'transferring', agentId: 12 },
    }),
  },
  {
    id: 'reportEnded',
    summary: '话术执行结束',
    detail: 'Nats-Msg-Id 为 <requestId>:ended:<epoch>:<seq>。',
    en: { summary: 'The script has come to its end', detail: 'Nats-Msg-Id is <requestId>:ended:<epoch>:<seq>.' },
    ...REPORTED,
    address: runtimeSubject('ended', CALL),
    message: progress({
      requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      attemptId: 18204,
      kind: 'ended',
      seq: 9,
      at: '2026-10-01T09:00:31.000Z',
      nodeId: 'thank',
      hangupCause: 'NORMAL_CLEARING',
    }),
  },
  {
    id: 'reportResult',
    summary: '通话结果',
    detail:
      '每个接下的通话都必须上报一次结果，须有 callStatus；与 POST /api/call-results 相同。先到的结果为准，相同的重复结果不产生影响。Nats-Msg-Id 为 <requestId>:result:<epoch>:<seq>。',
    en: {
      summary: 'How the call went',
      detail:
        'Every call that was taken is reported once, with callStatus; as POST /api/call-results. The first result stands, the same again changes nothing. Nats-Msg-Id is <requestId>:result:<epoch>:<seq>.',
    },
    ...REPORTED,
    address: runtimeSubject('result', CALL),
    message: result,
  },
  {
    id: 'sendCaption',
    summary: '实时字幕',
    detail:
      'kind 为 segment 的进展事件，可用 events 合并 1 至 500 条。requestId 与 kind 均可省略，以主题为准；与主题不同则被拒绝。同一 segmentId 的后到文本覆盖先到文本；final 为 false 表示识别仍在进行。丢失的字幕不补发，结果中的 transcript 为准。segmentId 须随 epoch 不同。',
    en: {
      summary: 'Live captions',
      detail:
        'Progress events of kind segment, 1 to 500 of them together in events. requestId and kind may be left out everywhere: the subject has them, and others than the subject’s are refused. The later text of a segmentId replaces the earlier; final: false says that recognition goes on. Lost captions are not made good: the transcript of the result counts. segmentIds differ per epoch.',
    },
    peer: 'runtime',
    action: 'receive',
    credential: 'proof',
    address: captionSubject(CALL),
    carrier: 'core',
    queue: 'callout-server',
    message: progress({
      requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      attemptId: 18204,
      kind: 'segment',
      seq: 4,
      at: '2026-10-01T09:00:09.400Z',
      nodeId: 'ask_interest',
      segment: { segmentId: 's3', speaker: 'customer', text: '可以，我正好想了解一下。', final: true, startMs: 7900, endMs: 9400 },
    }),
  },
  {
    id: 'endCall',
    summary: '请求挂断通话',
    detail: '话术走到终点后由话术引擎调用；通话已结束时仍应答成功。cause 须为大写字母、数字与 _。',
    en: {
      summary: 'Please hang up',
      detail:
        'Sent by the runtime at the end of its script; a call that is over is answered ok as well. A cause that is none (capitals, digits, _) is refused.',
    },
    ...FROM_RUNTIME,
    credential: 'sessionOrProof',
    address: actorSubject('call', CALL, 'hangup'),
    queue: 'callout-server',
    message: { name: 'EndCallRequest', schema: endCallRequest, example: { cause: 'NORMAL_CLEARING' } },
    reply: { name: 'EndCallAnswer', schema: endCallAnswer, example: endCallAnswerExample },
  },
  {
    id: 'readScript',
    summary: '读取话术脚本的运行时 JSON',
    detail: 'version 为通话绑定的版本；版本内容不变，可按 id 与 version 缓存。未给出 version 时为当前版本。',
    en: {
      summary: 'Read the runtime JSON of a script',
      detail:
        'version is the one that the call is bound to; its content never changes and may be cached by id and version. Without it: the current one.',
    },
    ...FROM_RUNTIME,
    address: SCRIPT_SUBJECTS.replace('*', '{scriptId}'),
    queue: 'callout-server',
    message: { name: 'ScriptRequest', schema: scriptRequest, example: { version: 2 } },
    reply: {
      name: 'ScriptAnswer',
      schema: scriptAnswer,
      example: {
        ok: true,
        data: {
          id: 7,
          version: 2,
          hash: 'c0ffee',
          entryNodeId: 'start',
          nodes: {
            start: { id: 'start', type: 'start', name: '开始', config: {}, next: 'bye' },
            bye: { id: 'bye', type: 'end', name: '结束', config: { phrase: 'thank' }, next: null },
          },
          variables: { shop: '示例营业厅' },
          phrases: { thank: '感谢您的支持，再见。' },
          nlu: { profile: null, branches: [], fields: [] },
          resultRules: [{ when: { node: 'bye' }, classification: 'A', intent: '有意向' }],
        },
      },
    },
  },
] as const satisfies readonly BusOperation[];

/** Messages of other clients, and those that server instances publish to each other and to subscribers. */
const SERVER_OPERATIONS = [
  {
    id: 'startCampaign',
    summary: '启动活动',
    detail: '规则与 PATCH /api/campaigns/:id 的 status=running 相同。',
    en: { summary: 'Start a campaign', detail: 'As PATCH /api/campaigns/:id with status=running.' },
    peer: 'client',
    credential: 'either',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'start'),
    carrier: 'request',
    queue: 'callout-server',
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'pauseCampaign',
    summary: '暂停活动',
    detail: '不再拨出；进行中的通话继续。',
    en: { summary: 'Pause a campaign', detail: 'Nothing more is dialled; live calls go on.' },
    peer: 'client',
    credential: 'either',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'pause'),
    carrier: 'request',
    queue: 'callout-server',
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'tellLiveDelta',
    summary: '通话快照的增量',
    detail: 'userId 为当前监听坐席，没有时为 _。version 不连续表示丢失了增量，应重新读取快照。',
    en: {
      summary: 'A change of a live call',
      detail:
        'userId is the monitoring user, _ when there is none. A gap in version means that changes were lost: read the snapshot again.',
    },
    ...BETWEEN_SERVERS,
    address: LIVE_SUBJECTS.replace('>', '{campaignId}.{userId}.{requestId}.{kind}'),
    message: {
      name: 'LiveDelta',
      schema: liveDelta,
      example: {
        requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
        campaignId: 3,
        kind: 'call-changed',
        version: 5,
        at: 1790845200000,
        data: { status: 'live' },
      },
    },
  },
  {
    id: 'wakeCampaign',
    summary: '唤醒活动的调度',
    detail: '名额释放、联系人增加或策略变化时发出；campaignId 为 all 时唤醒全部运行中的活动。',
    en: {
      summary: 'Wake the dispatch of a campaign',
      detail: 'Sent when a place is free, contacts come or a policy changes; campaignId all wakes every running campaign.',
    },
    ...BETWEEN_SERVERS,
    address: WAKE_SUBJECTS.replace('*', '{campaignId}'),
    message: signal,
  },
  {
    id: 'tellRuntimeEvent',
    summary: '写入了一条运行事件',
    detail: '内容从 GET /api/runtime/events 读取。',
    en: { summary: 'A runtime event was written', detail: 'Read it from GET /api/runtime/events.' },
    ...BETWEEN_SERVERS,
    address: RUNTIME_EVENTS_SUBJECT,
    message: signal,
  },
  {
    id: 'tellSessionsEnded',
    summary: '登录会话已失效',
    detail: '各实例据此关闭这些会话的事件流。',
    en: { summary: 'Sessions have ended', detail: 'Instances close the event streams of these sessions.' },
    ...BETWEEN_SERVERS,
    address: SESSION_ENDED_SUBJECT,
    message: { name: 'SessionsEnded', schema: sessionsEnded, example: { sessionIds: ['d1f0a2'] } },
  },
] as const satisfies readonly BusOperation[];

/** Every operation of the bus, in page order; permissions and the commands that a runtime answers are derived from it. Source: A4 */
export const BUS_OPERATIONS: readonly BusOperation[] = [
  ...POOL_OPERATIONS,
  ...RUNTIME_OPERATIONS,
  ...INTERVENTION_OPERATIONS,
  ...GUIDANCE_OPERATIONS,
  ...TRANSFER_OPERATIONS,
  ...SOFTPHONE_OPERATIONS,
  ...MONITORING_OPERATIONS,
  ...SERVER_OPERATIONS,
];

/** Commands to the runtime of a call: the last tokens of their addresses. */
export type CallCommand = CommandOf<
  (typeof RUNTIME_OPERATIONS | typeof INTERVENTION_OPERATIONS | typeof GUIDANCE_OPERATIONS | typeof TRANSFER_OPERATIONS)[number]
>;

type CommandOf<Row> = Row extends { address: `${string}.command.${typeof CALL}.${infer Name}` } ? Name : never;
