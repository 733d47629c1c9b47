import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { type BusOperation, described, FROM_RUNTIME, TO_RUNTIME } from './bus-operation.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { commandAnswer, startCommand } from './hand-over.ts';
import { emptySignal } from './signals.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT, POOL_ROLL_CALL_SUBJECT, poolSubject } from './subjects.ts';

/** Contract versions that this server supports. Source: A4 */
export const RUNTIME_CONTRACT = { oldest: 1, newest: 1 } as const;
/** Interval of a runtime's heartbeats, in ms. */
export const POOL_BEAT_MS = 5_000;
/** Silence after which a runtime counts as lost and its calls go to other runtimes, in ms. */
export const POOL_GONE_MS = 15_000;

const MAX_NODE_TYPES = 50;
const MAX_BUSINESS_CODES = 200;
export const MAX_RUNTIME_CALLS = 100_000;

/** A token of a subject: no dot, wildcard or space. */
export const runtimeIdText = z
  .string()
  .regex(/^[\w-]{1,64}$/, issue('identifier', { max: 64 }))
  .meta({ description: '运行时的编号，进程每次启动都应不同；用于主题 callout.v1.runtime-pool.<runtimeId>.*' });

/**
 * Registration of a runtime, sent when it starts and again with each heartbeat, every 5 s.
 *
 * Shape: a heartbeat repeats the whole registration, so that a lost cache is complete again after one interval
 */
export const poolMember = z
  .object({
    runtimeId: runtimeIdText,
    name: z.string().trim().min(1).max(100).meta({ description: '运行时程序的名称，供操作员识别' }),
    version: z.string().trim().min(1).max(50).meta({ description: '运行时程序的版本' }),
    contract: z.int().positive().meta({ description: '运行时所用契约的版本号' }),
    maxCalls: z.int().min(0).max(MAX_RUNTIME_CALLS).meta({ description: '同时进行的通话上限；0 表示暂不接新通话' }),
    active: z.int().min(0).max(MAX_RUNTIME_CALLS).meta({ description: '当前通话数' }),
    isDraining: z.boolean().optional().default(false).meta({ description: '正在退出：不再接新通话' }),
    resumes: z.boolean().optional().default(false).meta({ description: '能接手其他运行时失联后留下的通话（resuming）' }),
    nodeTypes: z.array(z.string().min(1).max(64)).max(MAX_NODE_TYPES).meta({ description: '能执行的话术节点类型' }),
    businessCodes: z
      .array(z.string().min(1).max(64))
      .max(MAX_BUSINESS_CODES)
      .optional()
      .meta({ description: '只接这些业务的通话；缺省为全部业务' }),
  })
  .meta({ id: 'RuntimePoolMember', description: '话术运行时的自述' });

export type PoolMember = z.output<typeof poolMember>;

export const poolBye = z.object({ runtimeId: runtimeIdText }).meta({ id: 'RuntimePoolBye', description: '运行时退出' });

const serverTime = z.int().optional().meta({ description: '服务器的时间，UTC 毫秒：运行时据此校正签名所用的 Callout-Time' });

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
    reason: z.enum(['superseded', 'ended']).meta({ description: 'superseded：已交给另一运行时；ended：通话已结束' }),
  })
  .meta({ id: 'ReleaseCommand', description: '运行时不再拥有该通话：立即停止其话术，不挂断、不上报' });

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

const RUNTIME = '{runtimeId}';
const member = {
  name: 'RuntimePoolMember',
  schema: poolMember,
  example: EXAMPLES.poolMember,
};
const leaving = {
  name: 'RuntimePoolBye',
  schema: poolBye,
  example: EXAMPLES.poolBye,
};
const answer = { name: 'RuntimePoolAnswer', schema: poolAnswer, example: EXAMPLES.poolAnswer };
const accepted = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };

/** Registration of runtimes, and messages addressed to one of them. Source: A4 */
export const POOL_OPERATIONS: readonly BusOperation[] = described([
  { id: 'runtimeHello', ...FROM_RUNTIME, address: POOL_HELLO_SUBJECT, message: member, reply: answer },
  { id: 'runtimeBeat', ...FROM_RUNTIME, address: POOL_BEAT_SUBJECT, message: member, reply: answer },
  { id: 'runtimeBye', ...FROM_RUNTIME, address: POOL_BYE_SUBJECT, message: leaving, reply: answer },
  {
    id: 'callRoll',
    peer: 'runtime',
    action: 'send',
    address: POOL_ROLL_CALL_SUBJECT,
    carrier: 'core',
    message: { name: 'Signal', schema: emptySignal, example: {} },
  },
  {
    id: 'startCallAt',
    ...TO_RUNTIME,
    address: poolSubject(RUNTIME, 'start'),
    message: { name: 'StartCommand', schema: startCommand, example: EXAMPLES.startAt },
    reply: accepted,
  },
  {
    id: 'releaseCallAt',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'release'),
    carrier: 'core',
    message: { name: 'ReleaseCommand', schema: releaseCommand, example: EXAMPLES.release },
  },
  {
    id: 'tellRejected',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'rejected'),
    carrier: 'core',
    message: { name: 'RejectedReport', schema: rejectedReport, example: EXAMPLES.rejected },
  },
]);
