import { POOL_BEAT_MS, POOL_GONE_MS } from './runtime-pool.ts';

export interface DeliveryRule {
  topic: { zh: string; en: string };
  zh: string;
  en: string;
}

const seconds = (ms: number) => ms / 1_000;

/** What holds for every message, in one table. Source: A4, D7.7, D7.8, D9.1 */
export const DELIVERY_RULES: readonly DeliveryRule[] = [
  {
    topic: { zh: '契约版本', en: 'Contract version' },
    zh: 'hello 的 contract 为运行时支持的最高版本；应答的 contract 为双方共同的最高版本，此后双方按它收发。过旧则应答 UNSUPPORTED_CONTRACT，不会分配通话。同一版本内只增加可选成员：不认识的成员一律忽略。',
    en: 'hello names the newest contract that the runtime speaks; the answer names the newest that both speak, and both keep to it. Too old: UNSUPPORTED_CONTRACT, and no calls. Within a version only optional members are added: ignore what you do not know.',
  },
  {
    topic: { zh: '登记与失联', en: 'Presence' },
    zh: `每 ${seconds(POOL_BEAT_MS)} 秒一次 beat；${seconds(POOL_GONE_MS)} 秒没有消息即视为失联，其通话交给声明 resumes 的运行时（start 带 resuming: true），没有则播放致歉并挂断。`,
    en: `A beat every ${seconds(POOL_BEAT_MS)} s; silent for ${seconds(POOL_GONE_MS)} s, a runtime is gone: its calls go to one that says resumes (start with resuming: true), else the customer hears an apology and the call ends.`,
  },
  {
    topic: { zh: '顺序', en: 'Order' },
    zh: 'NATS 不保证各主题之间的顺序，重发会打乱顺序。started、ended、result 以任意先后到达结果都一样；同一 segmentId 后到的字幕覆盖先到的。',
    en: 'NATS keeps no order between subjects, and repetitions reorder. started, ended and result have the same effect in any order; of one segmentId the later caption replaces the earlier.',
  },
  {
    topic: { zh: '幂等', en: 'Idempotency' },
    zh: '任何消息都可能到达两次。服务器按 requestId 与 seq（字幕按 segmentId 与文本）去重；先到的结果为准。运行时按 requestId 与 epoch 去重：重复的 start 应答如前，不启动第二次。',
    en: 'Any message may arrive twice. The server drops repetitions by requestId and seq (captions by segmentId and text); the first result stands. A runtime does so by requestId and epoch: a repeated start is answered as before and starts nothing.',
  },
  {
    topic: { zh: '2 分钟去重窗口', en: 'The 2-minute window' },
    zh: '流 RUNTIME 在 2 分钟内丢弃相同 Nats-Msg-Id 的消息；更晚的重复由数据库识别。改过的内容必须换一个 seq，否则会被当作重复丢弃；其中须含 epoch，否则原运行时被拒绝的上报会使接手者的上报被当作重复。没有 epoch 的通话（旧版服务器）省略该段。',
    en: 'The stream RUNTIME drops a Nats-Msg-Id that it has seen in the last 2 minutes; later repetitions are recognised by the database. Changed content needs another seq, else it is dropped as a repetition; the epoch belongs into it, else the refused report of a former owner makes the stream drop that of the owner. A call without an epoch (an older server) leaves that part out.',
  },
  {
    topic: { zh: '上报的重试', en: 'Repeating reports' },
    zh: '未得到流的确认：以同一 Nats-Msg-Id 重发，间隔逐次加倍（0.25 至 10 秒），至少坚持到结果送达。服务器一侧：存储不可用时一直重试；通话不存在时投递 3 次；不合规时立即丢弃。丢弃的上报发往 runtime-pool.<runtimeId>.rejected。',
    en: 'Without the acknowledgement of the stream: send again under the same Nats-Msg-Id, with a pause that doubles (0.25 to 10 s), until the result is through. The server: tries for as long as a store is away, 3 times for an unknown call, once for a malformed report. What is dropped is told to runtime-pool.<runtimeId>.rejected.',
  },
  {
    topic: { zh: '超时', en: 'Time-outs' },
    zh: 'start 须在 1 秒内应答，4 秒内没有运行时接下则客户听到致歉并挂断；其余命令 3 秒。对服务器的请求：建议等待 3 秒，超时后重发。通话结束后 60 秒（dispatch.resultGraceSeconds）没有结果，按已知情况记录，迟到的结果仍会补入。',
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
    zh: '收到停止信号：beat 带 isDraining: true，不再接新通话；等待通话结束（建议 10 秒以上）；上报已知的结果并等到流确认；最后 bye。服务器停止时由其他实例接手，运行时无须处理。',
    en: 'Told to stop: beat with isDraining: true and take nothing new; give live calls their time (10 s or more); report what is known and wait for the stream; bye. When a server stops, the other instances go on: a runtime has nothing to do.',
  },
];
