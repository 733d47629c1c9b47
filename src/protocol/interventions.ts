import { z } from 'zod';
import { rowId } from '#kernel/fields.ts';
import { type BusMessageContract, type BusOperation, described, TO_RUNTIME } from './bus-operation.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { commandAnswer } from './hand-over.ts';
import { INTERVENTION_STATUSES } from './progress.ts';
import { busAnswerOf } from './requests.ts';
import { actorSubject, commandSubject } from './subjects.ts';

/** `mine`: calls that the caller may be assigned; `total`: that of all monitors; `used`, `waiting`: calls with, without one. Source: D9.2 */
export const monitorCapacity = z.object({
  mine: z.int().nonnegative(),
  used: z.int().nonnegative(),
  total: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
});

export const INTERVENTION_TIMINGS = ['boundary', 'now'] as const;
/** `now` cuts the bot off; `boundary` lets it finish its sentence. Source: D9.3 */
export const interventionTiming = z.enum(INTERVENTION_TIMINGS);

const MAX_TOKEN_LENGTH = 200;
const MAX_ID_LENGTH = 128;
const MAX_TAB_ID_LENGTH = 64;
const token = z.string().min(1).max(MAX_TOKEN_LENGTH).meta({ description: '登录得到的令牌；权限与 REST 相同' });
const instant = z.int().nullable().meta({ description: 'UTC 毫秒' });

/** Like `sessionRequest`, with the timing of the takeover and the agent. */
export const claimRequest = z
  .object({ token, when: interventionTiming.optional(), agentId: rowId.optional() })
  .meta({ id: 'ClaimRequest', description: '申请人工介入；when 缺省为 boundary，agentId 缺省为本人的坐席（D9.3）' });

/** A user's request over the bus, authenticated by session as over REST. */
export const sessionRequest = z.object({ token }).meta({ id: 'SessionRequest', description: '以登录会话发起的请求' });

export const heartbeatRequest = z
  .object({ token, campaignId: rowId.nullish(), tabId: z.string().trim().min(1).max(MAX_TAB_ID_LENGTH).optional() })
  .meta({ id: 'HeartbeatRequest', description: '监听在线心跳（D9.4）' });

const heartbeatAnswer = busAnswerOf(z.object({ expiresAt: z.int(), capacity: monitorCapacity, assigned: z.array(z.string()) })).meta({
  id: 'HeartbeatAnswer',
  description: 'assigned 为通话的 requestId',
});

const leaveAnswer = busAnswerOf(z.object({ released: z.array(z.string()) })).meta({
  id: 'LeaveAnswer',
  description: '已让出的通话的 requestId',
});

const announcedIntervention = z.object({
  id: z.string(),
  status: z.enum(INTERVENTION_STATUSES),
  initiatorId: rowId.nullable(),
  requestedAt: instant,
  consumedAt: instant,
  agentId: rowId.nullable(),
  when: interventionTiming,
  reason: z.string().nullable().meta({ description: '结束、取消、失败或失效的原因；尚未结束时为 null' }),
});

const interventionAnswer = busAnswerOf(z.object({ requestId: z.string(), intervention: announcedIntervention })).meta({
  id: 'InterventionAnswer',
  description: '人工介入的状态',
});

const releaseAnswer = busAnswerOf(z.object({ requestId: z.string() })).meta({ id: 'ReleaseAnswer', description: '已让出通话' });

/** Sent by the runtime at a node boundary; the answer says whether the transfer starts now. Source: A7 */
export const consumeRequest = z
  .object({ interventionId: z.string().trim().min(1).max(MAX_ID_LENGTH) })
  .meta({ id: 'ConsumeRequest', description: '运行时到达节点边界，请求开始转接' });

export const consumeAnswer = busAnswerOf(
  z.object({
    consumed: z.boolean().meta({ description: 'true：立即转接；false：申请已取消或失效，继续话术' }),
    status: z.enum(INTERVENTION_STATUSES).nullable(),
    agentId: rowId.nullable(),
    initiatorId: rowId.nullable(),
  }),
).meta({ id: 'ConsumeAnswer', description: '是否开始转接' });

/** Source: A4 `callout.v1.command.<requestId>.intervene` */
export const interveneCommand = z
  .object({
    interventionId: z.string().min(1).max(MAX_ID_LENGTH),
    initiatorId: rowId.nullish(),
    agentId: rowId.nullish(),
    when: interventionTiming.default('boundary'),
  })
  .meta({
    id: 'InterveneCommand',
    description: '有人申请介入。boundary：说完当前一句或收听结束后请求 consume；now：立即停止播放和收听并请求 consume',
  });

export const cancelCommand = z
  .object({ interventionId: z.string().min(1).max(MAX_ID_LENGTH) })
  .meta({ id: 'CancelCommand', description: '介入申请已取消或失效' });

export type InterveneCommand = z.output<typeof interveneCommand>;
export type ConsumeAnswer = z.output<typeof consumeAnswer>;

const CALL = '{requestId}';
const session: BusMessageContract = { name: 'SessionRequest', schema: sessionRequest, example: EXAMPLES.session };
const interventionReply: BusMessageContract = {
  name: 'InterventionAnswer',
  schema: interventionAnswer,
  example: EXAMPLES.interventionAnswer,
};
const acknowledged: BusMessageContract = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };
const asked = { action: 'receive', carrier: 'request', queue: 'callout-server' } as const;

/** Intervention in a call, between server and runtime. Source: A4, A7 */
export const INTERVENTION_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'intervene',
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'intervene'),
    message: { name: 'InterveneCommand', schema: interveneCommand, example: EXAMPLES.intervene },
    reply: acknowledged,
  },
  {
    id: 'cancelIntervention',
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'cancel'),
    message: { name: 'CancelCommand', schema: cancelCommand, example: EXAMPLES.cancelCommand },
    reply: acknowledged,
  },
  {
    id: 'consumeIntervention',
    peer: 'runtime',

    ...asked,
    address: actorSubject('intervention', CALL, 'consume'),
    message: { name: 'ConsumeRequest', schema: consumeRequest, example: EXAMPLES.consume },
    reply: { name: 'ConsumeAnswer', schema: consumeAnswer, example: EXAMPLES.consumeAnswer },
  },
]);

/** Requests of monitors over the bus, with the rules and answers of REST. Source: OCS 4.12 */
export const MONITORING_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'heartbeat',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'heartbeat'),
    message: { name: 'HeartbeatRequest', schema: heartbeatRequest, example: EXAMPLES.heartbeat },
    reply: { name: 'HeartbeatAnswer', schema: heartbeatAnswer, example: EXAMPLES.heartbeatAnswer },
  },
  {
    id: 'leaveMonitoring',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'leave'),
    message: session,
    reply: { name: 'LeaveAnswer', schema: leaveAnswer, example: EXAMPLES.leaveAnswer },
  },
  {
    id: 'claimIntervention',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'claim'),
    message: { name: 'ClaimRequest', schema: claimRequest, example: EXAMPLES.claim },
    reply: interventionReply,
  },
  {
    id: 'withdrawIntervention',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'cancel'),
    message: session,
    reply: interventionReply,
  },
  {
    id: 'releaseCall',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'release'),
    message: session,
    reply: { name: 'ReleaseAnswer', schema: releaseAnswer, example: EXAMPLES.endCallAnswer },
  },
]);
