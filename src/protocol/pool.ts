import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { type BusOperation, FROM_RUNTIME, TO_RUNTIME } from './bus-operation.ts';
import { startCommand, startExample, COMMAND_REPLY } from './hand-over.ts';
import { emptySignal } from './signals.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT, POOL_ROLL_CALL_SUBJECT, poolSubject } from './subjects.ts';

/** Contract versions that this server supports. Source: A4 */
export const RUNTIME_CONTRACT = { oldest: 1, newest: 1 } as const;
/** Interval of a runtime's heartbeats, in ms. */
export const POOL_BEAT_MS = 5_000;
/** Silence after which a runtime counts as lost and its calls go to other runtimes, in ms. */
export const POOL_GONE_MS = 15_000;

const MAX_NODE_TYPES = 50;
const MAX_COMMANDS = 20;
const MAX_BUSINESS_CODES = 200;
export const MAX_RUNTIME_CALLS = 100_000;

/** A token of a subject: no dot, wildcard or space. */
export const runtimeIdText = z
  .string()
  .regex(/^[\w-]{1,64}$/, issue('identifier', { max: 64 }))
  .meta({ description: '话术引擎的编号，进程每次启动都应不同；用于主题 callout.v1.runtime-pool.<runtimeId>.*' });

/**
 * Registration of a runtime, sent when it starts and again with each heartbeat, every 5 s.
 *
 * Shape: a heartbeat repeats the whole registration, so that a lost cache is complete again after one interval
 */
export const poolMember = z
  .object({
    runtimeId: runtimeIdText,
    name: z.string().trim().min(1).max(100).meta({ description: '话术引擎程序的名称，供操作员识别' }),
    version: z.string().trim().min(1).max(50).meta({ description: '话术引擎程序的版本' }),
    contract: z.int().positive().meta({ description: '话术引擎所用契约的版本号' }),
    maxCalls: z.int().min(0).max(MAX_RUNTIME_CALLS).meta({ description: '同时进行的通话上限；0 表示暂不接新通话' }),
    active: z.int().min(0).max(MAX_RUNTIME_CALLS).meta({ description: '当前通话数' }),
    isDraining: z.boolean().optional().default(false).meta({ description: '正在退出：不再接新通话' }),
    resumes: z.boolean().optional().default(false).meta({ description: '能接手其他话术引擎失联后留下的通话（resuming）' }),
    commands: z
      .array(z.string().min(1).max(64))
      .max(MAX_COMMANDS)
      .optional()
      .meta({ description: '能执行的可选命令：hint、say、hand_back；缺省为都不能' }),
    nodeTypes: z.array(z.string().min(1).max(64)).max(MAX_NODE_TYPES).meta({ description: '能执行的话术节点类型' }),
    businessCodes: z
      .array(z.string().min(1).max(64))
      .max(MAX_BUSINESS_CODES)
      .optional()
      .meta({ description: '只接这些业务的通话；缺省为全部业务' }),
  })
  .meta({ id: 'RuntimePoolMember', description: '话术引擎的自述' });

export type PoolMember = z.output<typeof poolMember>;

export const poolBye = z.object({ runtimeId: runtimeIdText }).meta({ id: 'RuntimePoolBye', description: '话术引擎退出' });

const serverTime = z.int().optional().meta({ description: '服务器的时间，UTC 毫秒：话术引擎据此校正签名所用的 Callout-Time' });

/** `INVALID`: the message names the faulty field; `UNAVAILABLE`: retry later; `STALE_PROOF`: retry at once, using `serverTime`. */
export const poolAnswer = z
  .discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      contract: z.int().positive().meta({ description: '双方约定使用的契约版本' }),
      beatEveryMs: z.int().positive(),
      goneAfterMs: z.int().positive(),
      serverTime,
    }),
    z.object({
      ok: z.literal(false),
      code: z.enum(['INVALID', 'UNSUPPORTED_CONTRACT', 'UNAVAILABLE', 'STALE_PROOF']),
      msg: z.string(),
      serverTime,
    }),
  ])
  .meta({ id: 'RuntimePoolAnswer', description: '对 hello、beat 与 bye 的应答' });

export type PoolAnswer = z.output<typeof poolAnswer>;

/** The runtime no longer owns the call: it stops at once, does not hang up, and reports nothing more about it. */
export const releaseCommand = z
  .object({
    requestId: z.uuid(),
    epoch: z.int().positive(),
    reason: z.enum(['superseded', 'ended']).meta({ description: 'superseded：已交给另一话术引擎；ended：通话已结束' }),
  })
  .meta({ id: 'ReleaseCommand', description: '话术引擎不再拥有该通话：立即停止其话术，不挂断、不上报' });

export type ReleaseCommand = z.output<typeof releaseCommand>;

/** A report that the server rejected, returned to the runtime that sent it. */
export const rejectedReport = z
  .object({
    subject: z.string().meta({ description: '被拒绝消息的主题' }),
    code: z.string().meta({ description: '错误目录中的代码，如 INVALID_ARGUMENT、NOT_FOUND、STALE_EPOCH' }),
    field: z.string().nullable().meta({ description: '出错的字段，如 result.callStatus；与字段无关时为 null' }),
    reason: z.string().meta({ description: '原因' }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'RejectedReport', description: '服务器拒绝的上报' });

export type RejectedReport = z.output<typeof rejectedReport>;

export const poolAnswerExample = { ok: true, contract: 1, beatEveryMs: 5000, goneAfterMs: 15000 };

const RUNTIME = '{runtimeId}';
const member = {
  name: 'RuntimePoolMember',
  schema: poolMember,
  example: {
    runtimeId: 'runtime-1a2b3c4d',
    name: 'callout-runtime',
    version: '1.0.0',
    contract: 1,
    maxCalls: 200,
    active: 12,
    isDraining: false,
    resumes: true,
    commands: ['hint', 'say', 'hand_back'],
    nodeTypes: ['start', 'play', 'chat', 'end'],
  },
};
const leaving = {
  name: 'RuntimePoolBye',
  schema: poolBye,
  example: { runtimeId: 'runtime-1a2b3c4d' },
};
const answer = { name: 'RuntimePoolAnswer', schema: poolAnswer, example: poolAnswerExample };

/** Registration of runtimes, and messages addressed to one of them. Source: A4 */
export const POOL_OPERATIONS = [
  {
    id: 'runtimeHello',
    summary: '话术引擎登记',
    detail:
      '先订阅 callout.v1.runtime-pool.<runtimeId>.start，再发送本请求；应答 ok 后即会收到通话，每 5 秒发送 beat，15 秒没有消息即视为失联。同时以服务名 callout-runtime 应答 $SRV.PING、$SRV.INFO 与 $SRV.STATS（NATS ADR-32，可选）的话术引擎可用 NATS 自带工具发现。登记的话术引擎不得再订阅 callout.v1.command.*.start：订阅者被视为名额不限的旧版话术引擎。',
    en: {
      summary: 'A runtime registers',
      detail:
        'Subscribe to callout.v1.runtime-pool.<runtimeId>.start first, then send this. From the answer ok on, calls may arrive. Send beat every 5 s; after 15 s of silence a runtime is gone. One that also answers $SRV.PING, $SRV.INFO and $SRV.STATS as the service callout-runtime (NATS ADR-32, optional) is found by the tools of NATS. A registered runtime must not subscribe to callout.v1.command.*.start as well: whoever does counts as an older runtime with unlimited places.',
    },
    ...FROM_RUNTIME,
    address: POOL_HELLO_SUBJECT,
    message: member,
    reply: answer,
  },
  {
    id: 'runtimeBeat',
    summary: '话术引擎的心跳',
    detail: '内容与 hello 相同且必须完整：缓存丢失后由一次心跳恢复。通话数变化不必另行通知。',
    en: {
      summary: 'A runtime is still there',
      detail:
        'As hello, and complete each time: one beat restores what a lost cache has forgotten. A changed number of calls needs no message of its own.',
    },
    ...FROM_RUNTIME,
    address: POOL_BEAT_SUBJECT,
    message: member,
    reply: answer,
  },
  {
    id: 'runtimeBye',
    summary: '话术引擎退出',
    detail: '退出前先以 isDraining 停止接新通话并等待通话结束；仍有通话时发送，则这些通话立即交给其他话术引擎。',
    en: {
      summary: 'A runtime leaves',
      detail:
        'First say isDraining, take nothing new and wait for the calls to end. Calls that are left when it says bye go to other runtimes at once.',
    },
    ...FROM_RUNTIME,
    address: POOL_BYE_SUBJECT,
    message: leaving,
    reply: answer,
  },
  {
    id: 'callRoll',
    summary: '点名：请立即发送心跳',
    detail: '服务器启动、缓存丢失或总线恢复后发出。收到后（以及自身重新连接后）立即发送 beat，否则最多 5 秒内不会拨出新的通话。',
    en: {
      summary: 'Roll call: say at once that you are there',
      detail:
        'Sent when a server starts, or the cache was lost, or the bus is back. Send a beat at once, and also after a reconnect of your own; otherwise nothing is dialled for up to 5 s.',
    },
    peer: 'runtime',
    action: 'send',
    address: POOL_ROLL_CALL_SUBJECT,
    carrier: 'core',
    message: { name: 'Signal', schema: emptySignal, example: {} },
  },
  {
    id: 'startCallAt',
    summary: '把已接通的通话交给预留的话术引擎',
    detail:
      '须在 1 秒内应答。BUSY、无应答或无法识别的应答：立即交给下一个话术引擎；INVALID：通话结束，不再交付。接下后立即订阅 callout.v1.command.<requestId>.*，并在 8 秒内（dispatch.runtimeCare.firstWordSeconds）上报 started 或发出机器人的第一条字幕；客户说完后 30 秒（silenceSeconds）没有字幕与上报，也视为不再出声：通话交给其他话术引擎，多次如此则暂不再分配通话。连续多次不应答 start 的话术引擎不再分配通话，直到它以 INVALID 应答一条空的 start（探测）。重复到达时应答如前；若 epoch 更大（例如服务器丢失了实时状态），此后使用新的 epoch，并以它再次上报 started。',
    en: {
      summary: 'An answered call for the runtime that was reserved',
      detail:
        'Answer within 1 s. BUSY, silence or an answer that nobody understands: the next runtime is asked at once. INVALID: the call ends, nobody else is asked. Having taken it, subscribe to callout.v1.command.<requestId>.* at once, and report started or send the bot’s first caption within 8 s (dispatch.runtimeCare.firstWordSeconds). When 30 s (silenceSeconds) pass after the customer’s words without a caption or a report, you count as silent too: the call goes to another runtime, and after a few such calls you are given none for a while. Who leaves several starts in a row unanswered is given none until it answers an empty start (the probe) with INVALID. A repetition is answered as before; with a larger epoch (the server has lost the live state, for instance) it takes the place of the older one, and you report started again under it.',
    },
    ...TO_RUNTIME,
    address: poolSubject(RUNTIME, 'start'),
    message: {
      name: 'StartCommand',
      schema: startCommand,
      example: {
        ...startExample,
        epoch: 1790845200001,
        answeredAt: '2026-10-01T09:00:00.000Z',
        media: { kind: 'sip', uri: 'sip:callout@10.0.0.7:5070' },
      },
    },
    reply: COMMAND_REPLY,
  },
  {
    id: 'releaseCallAt',
    summary: '通话不再属于该话术引擎',
    detail: '话术引擎停止该通话的话术，不挂断，不再上报。epoch 小于本命令的上报会被拒绝。此后再收到该通话的 start，从头开始。',
    en: {
      summary: 'The call is no longer this runtime’s',
      detail:
        'Stop its script; neither hang up nor report any more. Reports with an epoch below this one are refused. A start of the call after this begins afresh.',
    },
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'release'),
    carrier: 'core',
    message: {
      name: 'ReleaseCommand',
      schema: releaseCommand,
      example: { requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10', epoch: 1790845200002, reason: 'superseded' },
    },
  },
  {
    id: 'tellRejected',
    summary: '一条上报被拒绝',
    detail:
      '上报带有 runtimeId，或其通话属于已登记的话术引擎时发送；字幕与网页话机的上报每秒至多 20 条，其余上报每秒至多 20 条。同类拒绝每小时告知操作员一次。',
    en: {
      summary: 'A message of yours was rejected',
      detail:
        'Sent when the message carries a runtimeId, or its call is that of a registered runtime; at most 20 a second of captions and softphone reports, and 20 of all others. Operators learn of each kind of rejection once an hour.',
    },
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'rejected'),
    carrier: 'core',
    message: {
      name: 'RejectedReport',
      schema: rejectedReport,
      example: {
        subject: 'callout.v1.runtime.result.5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
        code: 'INVALID_ARGUMENT',
        field: 'callStatus',
        reason: '参数 callStatus 不能为空',
        requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      },
    },
  },
] as const satisfies readonly BusOperation[];
