import { ERROR_CODES, type ErrorCode } from '#kernel/errors.ts';
import { runtimeInboxPrefix } from './address.ts';
import type { COMMAND_REFUSALS } from './hand-over.ts';
import { POOL_BEAT_MS, POOL_GONE_MS } from './pool.ts';

interface DeliveryRule {
  topic: { zh: string; en: string };
  zh: string;
  en: string;
}

const seconds = (ms: number) => ms / 1_000;

/** Delivery rules that apply to all messages, in one table. Source: A4, D7.7, D7.8, D9.1 */
export const DELIVERY_RULES: readonly DeliveryRule[] = [
  {
    topic: { zh: '契约版本', en: 'Contract version' },
    zh: 'hello 的 contract 为话术引擎支持的最高版本；应答的 contract 为双方共同的最高版本，此后双方按它收发。过旧则应答 UNSUPPORTED_CONTRACT，不会分配通话。同一版本内只增加可选成员：不认识的成员一律忽略。',
    en: 'hello names the newest contract that the runtime speaks; the answer names the newest that both speak, and both keep to it. Too old: UNSUPPORTED_CONTRACT, and no calls. Within a version only optional members are added: ignore what you do not know.',
  },
  {
    topic: { zh: '登记与失联', en: 'Presence' },
    zh: `每 ${seconds(POOL_BEAT_MS)} 秒一次 beat；${seconds(POOL_GONE_MS)} 秒没有消息即视为失联，其通话交给声明 resumes 的话术引擎（start 带 resuming: true），没有则播放致歉并挂断。`,
    en: `A beat every ${seconds(POOL_BEAT_MS)} s; silent for ${seconds(POOL_GONE_MS)} s, a runtime is gone: its calls go to one that says resumes (start with resuming: true), else the customer hears an apology and the call ends.`,
  },
  {
    topic: { zh: '顺序', en: 'Order' },
    zh: 'NATS 不保证各主题之间的顺序，重发会打乱顺序。started、ended、result 以任意先后到达结果都一样；同一 segmentId 后到的字幕覆盖先到的。',
    en: 'NATS keeps no order between subjects, and repetitions reorder. started, ended and result have the same effect in any order; of one segmentId the later caption replaces the earlier.',
  },
  {
    topic: { zh: '幂等', en: 'Idempotency' },
    zh: '任何消息都可能到达两次。服务器按 requestId 与 seq（字幕按 segmentId 与文本）去重；先到的结果为准。话术引擎按 requestId 与 epoch 去重：重复的 start 应答如前，不启动第二次。',
    en: 'Any message may arrive twice. The server drops repetitions by requestId and seq (captions by segmentId and text); the first result stands. A runtime does so by requestId and epoch: a repeated start is answered as before and starts nothing.',
  },
  {
    topic: { zh: '2 分钟去重窗口', en: 'The 2-minute window' },
    zh: '流 RUNTIME 在 2 分钟内丢弃相同 Nats-Msg-Id 的消息；更晚的重复由数据库识别。改过的内容必须换一个 seq，否则会被当作重复丢弃；其中须含 epoch，否则原话术引擎被拒绝的上报会使接手者的上报被当作重复。没有 epoch 的通话（旧版服务器）省略该段。',
    en: 'The stream RUNTIME drops a Nats-Msg-Id that it has seen in the last 2 minutes; later repetitions are recognised by the database. Changed content needs another seq, else it is dropped as a repetition; the epoch belongs into it, else the refused report of a former owner makes the stream drop that of the owner. A call without an epoch (an older server) leaves that part out.',
  },
  {
    topic: { zh: '上报的重试', en: 'Repeating reports' },
    zh: '未得到流的确认：以同一 Nats-Msg-Id 重发，间隔逐次加倍（0.25 至 10 秒），至少坚持到结果送达。服务器一侧：存储不可用时一直重试；通话不存在时投递 3 次；不合规时立即丢弃。丢弃的上报发往 runtime-pool.<runtimeId>.rejected。',
    en: 'Without the acknowledgement of the stream: send again under the same Nats-Msg-Id, with a pause that doubles (0.25 to 10 s), until the result is through. The server: tries for as long as a store is away, 3 times for an unknown call, once for a malformed report. What is dropped is told to runtime-pool.<runtimeId>.rejected.',
  },
  {
    topic: { zh: '超时', en: 'Time-outs' },
    zh: 'start 须在 1 秒内应答，4 秒内没有话术引擎接下则客户听到致歉并挂断；其余命令 3 秒。对服务器的请求：建议等待 3 秒，超时后重发。通话结束后 60 秒（dispatch.resultGraceSeconds）没有结果，按已知情况记录，迟到的结果仍会补入。',
    en: 'start is answered within 1 s; after 4 s without a runtime the customer hears an apology and the call ends. Other commands: 3 s. Requests to the server: wait 3 s, then ask again. 60 s (dispatch.resultGraceSeconds) after a call without its result, what is known is recorded; a late result still fills it.',
  },
  {
    topic: { zh: '字幕', en: 'Captions' },
    zh: '只发一次，丢失不补；结果中的 transcript 为准。每个实例同时处理至多 2000 条，多余的丢弃并计数。',
    en: 'Sent once; what is lost stays lost, and the transcript of the result counts. An instance works on 2,000 at once and drops and counts what is more.',
  },
  {
    topic: { zh: '大小', en: 'Sizes' },
    zh: '一条消息至多 1 MiB；payload 至多 256 KiB；一次至多 500 个事件；transcript 至多 2000 条，每条 4000 字符。',
    en: 'A message: 1 MiB. payload: 256 KiB. Events at once: 500. transcript: 2,000 items of 4,000 characters.',
  },
  {
    topic: { zh: '退出', en: 'Draining' },
    zh: '收到停止信号：beat 带 isDraining: true，不再接新通话；等待通话结束（建议 10 秒以上）；上报已知的结果并等到流确认；最后 bye。服务器停止时由其他实例接手，话术引擎无须处理。',
    en: 'Told to stop: beat with isDraining: true and take nothing new; give live calls their time (10 s or more); report what is known and wait for the stream; bye. When a server stops, the other instances go on: a runtime has nothing to do.',
  },
  {
    topic: { zh: '签名', en: 'Proof' },
    zh: '服务器设置了内部令牌时，话术引擎发出的每条消息都须签名（安全方案 proof，含测试向量）；令牌不在总线上传送。未签名或签名不符的上报立即丢弃，请求应答 UNAUTHENTICATED。签名覆盖主题、Nats-Msg-Id、Callout-Time 与消息体，不含回复地址与其他消息头。服务器发出的消息（start 与其他命令、应答及其中的 serverTime）没有签名：总线应设用户与权限，否则能在总线上发消息者可冒充服务器；错误的 serverTime 只会使消息被拒（STALE_PROOF），下一次应答即恢复。',
    en: 'Where the server has an internal token, each message of a runtime is signed (security scheme proof, with a test vector); the token never travels. A report without the right proof is dropped at once, a request is answered UNAUTHENTICATED. Signed are subject, Nats-Msg-Id, Callout-Time and body, not the reply address or other headers. What servers send (start and other commands, answers with their serverTime) is not signed: give the bus users, else whoever may publish on it can pose as a server. A wrong serverTime only has messages refused (STALE_PROOF) until the next answer.',
  },
  {
    topic: { zh: '接手', en: 'Taking over' },
    zh: 'release 之后再收到同一通话的 start（epoch 更大）：从头开始一次新的执行，不得沿用 release 之前的状态；resuming 为 true 时从 captions 与变量继续。segmentId 须随 epoch 不同（例如以 epoch 开头），否则接手者的字幕会覆盖原话术引擎的。',
    en: 'A start of the same call after a release (with a larger epoch) begins afresh: nothing of before the release counts; with resuming: true go on from captions and variables. segmentIds differ per epoch (begin them with it, for instance), else the captions of whoever takes over replace those of before.',
  },
  {
    topic: { zh: '话术节点', en: 'Script nodes' },
    zh: '节点类型为 start、send、collect、router、chat、end、transfer；没有 play（播放录音由 send 的话术引擎实现决定）。hello 的 nodeTypes 供操作员查看，不用于分配通话。话术引擎遇到不认识的节点类型：不得沉默，播放道别并结束通话，result 的 callStatus 为 failed。',
    en: 'Node types are start, send, collect, router, chat, end and transfer; there is no play (how send sounds is the runtime’s own). nodeTypes of hello is for operators; calls are not given out by it. At a node of a type that it does not know a runtime must not fall silent: it says goodbye, ends the call and reports the result with callStatus failed.',
  },
  {
    topic: { zh: '自然语言理解', en: 'Understanding speech' },
    zh: '话术的 nlu 成员由话术引擎使用：话术引擎直接向 NLU 服务（HTTP，默认 http://127.0.0.1:9930，见 nlu-service.md）请求 decision 与 extract；总线上没有 NLU 主题，服务器不代为转发。',
    en: 'The member nlu of a script is for the runtime, which asks the NLU service itself for decision and extract (HTTP, http://127.0.0.1:9930 by default, see nlu-service.md). No subject of the bus leads there; the server passes nothing on.',
  },
  {
    topic: { zh: '转人工', en: 'Hand-over' },
    zh: 'transfer.route 由话术引擎在 transfer 节点，或 consume 应答 consumed: true 之后调用；服务器不会自行发起。随后的 transfer 命令：ringing 表示坐席话机正在振铃；机器人可以继续说话直到 joined，收到 joined 立即停止说话与收听，此后只上报字幕。',
    en: 'transfer.route is called by the runtime, at a node transfer or after consume was answered consumed: true; the server never begins it. Of the transfer commands that follow, ringing says that the agent’s phone rings. The bot may speak on until joined, and stops speaking and listening at once then; from there on it only reports captions.',
  },
  {
    topic: { zh: 'Nats-Msg-Id', en: 'Nats-Msg-Id' },
    zh: '服务器不解析其形式，只要求含通话、种类与 epoch，且内容不同则不同。每种只发一次的上报可以省略 seq：<requestId>:<kind>:<epoch>（示例话术引擎如此）；会发多次的（intervention、改过的 result）须带 seq。',
    en: 'The server does not read its form; it holds call, kind and epoch, and differs where the content does. What is sent once of a kind may leave seq out: <requestId>:<kind>:<epoch>, as the example runtime does. What is sent several times (intervention, a changed result) has its seq.',
  },
  {
    topic: { zh: '连接', en: 'Connecting' },
    zh: `NATS 官方客户端不读取地址中的 user:password@，须作为选项 user、pass（或 token）给出；地址的 tls:// 表示要求加密。有 NATS 用户的话术引擎须以选项 inboxPrefix 在 ${runtimeInboxPrefix('<用户名>')} 之下接收应答；沿用默认前缀 _INBOX 的旧话术引擎在 docker/nats.conf 上收不到应答（日志：Permissions Violation for Subscription to "_INBOX…"），在改好之前可另授 _INBOX.>。`,
    en: `The official clients of NATS ignore user:password@ in an address: give user and pass (or token) as options. tls:// in an address demands encryption. A runtime with a NATS user hears answers under ${runtimeInboxPrefix('<user>')}, by the client’s option inboxPrefix. An older one that keeps the default prefix _INBOX gets no answers with docker/nats.conf (Permissions Violation for Subscription to "_INBOX…" in its log): set the option, or grant _INBOX.> besides until that is done.`,
  },
];

interface Meaning {
  zh: string;
  en: string;
}

/** Meaning of the catalogue's codes in answers over the bus. */
const CATALOGUE: Readonly<Record<ErrorCode, Meaning>> = {
  INVALID_ARGUMENT: {
    zh: '消息不合规，msg 指出字段；原样重发仍会被拒绝',
    en: 'The message breaks its schema; the text names the field. The same message will be refused again.',
  },
  UNAUTHENTICATED: {
    zh: '缺少 token 或 Callout-Proof，或不正确；msg 说明原因',
    en: 'token or Callout-Proof is missing or wrong; the text says which.',
  },
  FORBIDDEN: { zh: '该会话没有权限', en: 'The session lacks the permission.' },
  NOT_FOUND: { zh: '所指的通话、会话、活动或脚本不存在', en: 'No such call, session, campaign or script.' },
  METHOD_NOT_ALLOWED: { zh: '只用于 REST', en: 'REST only.' },
  CONFLICT: { zh: '与当前状态冲突，例如没有空闲坐席', en: 'The present state forbids it: no idle agent, for instance.' },
  NOTHING_TO_CALL: { zh: '活动没有可以呼叫的联系人', en: 'The campaign has nobody left to call.' },
  CAMPAIGN_ARCHIVED: { zh: '活动已归档', en: 'The campaign is archived.' },
  CAMPAIGN_RUNNING: { zh: '活动正在运行', en: 'The campaign is running.' },
  POLICY_FORBIDS: { zh: '外呼策略禁止', en: 'A dialling policy forbids it.' },
  LOCK_CONTENDED: { zh: '另一请求正在处理同一对象', en: 'Another request is at work on the same thing.' },
  IDEMPOTENCY_MISMATCH: { zh: '只用于 REST', en: 'REST only.' },
  STALE_EPOCH: {
    zh: '通话已交给其他话术引擎，停止其话术，不再上报',
    en: "The call is another runtime's by now: stop, and report no more.",
  },
  GONE: { zh: '已经结束，记录不再保留', en: 'It is over and no longer kept.' },
  PAYLOAD_TOO_LARGE: { zh: '消息过大', en: 'The message is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { zh: '只用于 REST', en: 'REST only.' },
  RATE_LIMITED: { zh: '请求过于频繁', en: 'Too many requests.' },
  SWITCH_UNAVAILABLE: { zh: '交换机不可达', en: 'The switch cannot be reached.' },
  DOWNSTREAM_INVALID: { zh: '下游服务的应答不合规', en: 'A service behind this one answered nonsense.' },
  DOWNSTREAM_TIMEOUT: { zh: '下游服务没有及时应答', en: 'A service behind this one answered too late.' },
  DATABASE_UNAVAILABLE: { zh: '数据库不可用', en: 'The database is away.' },
  CACHE_UNAVAILABLE: { zh: '共享缓存不可用', en: 'The shared cache is away.' },
  BUS_UNAVAILABLE: { zh: '消息总线不可用，或对方没有应答', en: 'The bus is away, or nobody answered.' },
  SERVER_STOPPING: { zh: '实例正在停止', en: 'The instance is stopping.' },
  INTERNAL: { zh: '服务器内部错误，原因见服务器日志', en: 'A fault of the server; its log has the cause.' },
};

type Refusal = (typeof COMMAND_REFUSALS)[number];

/** Codes of runtimes' answers to commands, and of the server's answers to their registration. */
const BETWEEN_SERVER_AND_RUNTIME: Readonly<
  Record<Refusal | 'UNSUPPORTED_CONTRACT' | 'UNAVAILABLE' | 'STALE_PROOF', Meaning & { retryable: boolean }>
> = {
  STALE_PROOF: {
    zh: '对 hello、beat、bye 的应答：Callout-Time 与服务器相差过大，按 serverTime 校正后立即重发',
    en: 'To hello, beat and bye: Callout-Time is too far from the server’s time. Go by serverTime and send again at once.',
    retryable: true,
  },
  BUSY: {
    zh: '话术引擎应答 start：没有空位，立即交给下一个话术引擎',
    en: 'A runtime to start: no free place. The next runtime is asked at once.',
    retryable: true,
  },
  INVALID: {
    zh: '话术引擎应答 start：无法执行，不再交付；服务器应答 hello：字段不合规',
    en: 'A runtime to start: impossible, nobody else is asked. The server to hello: a field is wrong.',
    retryable: false,
  },
  UNKNOWN_COMMAND: { zh: '话术引擎不认识该命令', en: 'The runtime does not know the command.', retryable: false },
  UNKNOWN_CALL: { zh: '话术引擎没有该通话', en: 'The runtime has no such call.', retryable: false },
  UNSUPPORTED_CONTRACT: {
    zh: '服务器不支持话术引擎的契约版本',
    en: 'The server does not speak the contract version of the runtime.',
    retryable: false,
  },
  UNAVAILABLE: { zh: '服务器暂时无法登记，稍后重试', en: 'The server cannot register runtimes now; try again.', retryable: true },
};

interface BusErrorCode extends Meaning {
  code: string;
  retryable: boolean;
}

const REST_ONLY = '只用于 REST';

/** Every code that a message of the bus may carry. */
export const BUS_ERROR_CODES: readonly BusErrorCode[] = [
  ...Object.entries(CATALOGUE)
    .filter(([, { zh }]) => zh !== REST_ONLY)
    .map(([code, meaning]) => ({ code, retryable: ERROR_CODES[code as ErrorCode].retryable, ...meaning })),
  ...Object.entries(BETWEEN_SERVER_AND_RUNTIME).map(([code, meaning]) => ({ code, ...meaning })),
];
