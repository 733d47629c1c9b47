import { z } from 'zod';
import { rowId } from '#kernel/fields.ts';
import { type BusMessageContract, type BusOperation, TO_RUNTIME } from './bus-operation.ts';
import { COMMAND_REPLY } from './hand-over.ts';
import { INTERVENTION_STATUSES } from './progress.ts';
import { busAnswerOf, endCallAnswerExample } from './requests.ts';
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
  .meta({ id: 'ConsumeRequest', description: '话术引擎到达节点边界，请求开始转接' });

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
const session: BusMessageContract = { name: 'SessionRequest', schema: sessionRequest, example: { token: 'ACCESS_TOKEN' } };
const interventionReply: BusMessageContract = {
  name: 'InterventionAnswer',
  schema: interventionAnswer,
  example: {
    ok: true,
    data: {
      requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
      intervention: {
        id: 'iv-1',
        status: 'requested',
        initiatorId: 9,
        requestedAt: 1790845200000,
        consumedAt: null,
        agentId: 12,
        when: 'now',
        reason: null,
      },
    },
  },
};
const asked = { action: 'receive', carrier: 'request', queue: 'callout-server' } as const;

/** Intervention in a call, between server and runtime. Source: A4, A7 */
export const INTERVENTION_OPERATIONS = [
  {
    id: 'intervene',
    summary: '有人申请介入通话',
    detail:
      '话术引擎记下申请并立即应答。when 为 boundary：当前一句或收听结束后发送 consume，结束节点和道别前后也是边界；when 为 now：立即停止播放和收听再发送 consume。未应答时服务器重复此命令，30 秒后申请失效。',
    en: {
      summary: 'Somebody asks to step in',
      detail:
        'Keep it and answer at once. when: boundary sends consume after the sentence or the listening, before and after a goodbye too; when: now stops speaking and listening first. Unanswered, it is repeated; after 30 s it has lapsed.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'intervene'),
    message: {
      name: 'InterveneCommand',
      schema: interveneCommand,
      example: { interventionId: 'iv-1', initiatorId: 9, agentId: 12, when: 'boundary' },
    },
    reply: COMMAND_REPLY,
  },
  {
    id: 'cancelIntervention',
    summary: '介入申请已取消或失效',
    detail: '话术引擎放弃未 consume 的申请。取消与 consume 同时发生时，以 consume 的应答为准。',
    en: {
      summary: 'The request to step in is withdrawn or has lapsed',
      detail: 'Forget it unless it was consumed. When both happen at once, the answer to consume decides.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'cancel'),
    message: { name: 'CancelCommand', schema: cancelCommand, example: { interventionId: 'iv-1' } },
    reply: COMMAND_REPLY,
  },
  {
    id: 'consumeIntervention',
    summary: '请求开始转接',
    detail:
      '由话术引擎在节点边界发送；consumed 为 true 时立即转接，并上报 intervention 的 active、ended 或 failed。重复请求得到同样的应答。',
    en: {
      summary: 'May the transfer begin?',
      detail:
        'Sent at a boundary of the script. consumed: true begins the transfer at once; then report the intervention active, ended or failed. The same question gets the same answer.',
    },
    peer: 'runtime',

    ...asked,
    address: actorSubject('intervention', CALL, 'consume'),
    message: { name: 'ConsumeRequest', schema: consumeRequest, example: { interventionId: 'iv-1' } },
    reply: {
      name: 'ConsumeAnswer',
      schema: consumeAnswer,
      example: { ok: true, data: { consumed: true, status: 'transferring', agentId: 12, initiatorId: 9 } },
    },
  },
] as const satisfies readonly BusOperation[];

/** Requests of monitors over the bus, with the rules and answers of REST. Source: OCS 4.12 */
export const MONITORING_OPERATIONS = [
  {
    id: 'heartbeat',
    summary: '监听在线心跳',
    detail: '与 POST /api/live-monitor/heartbeat 相同。',
    en: { summary: 'A monitor is present', detail: 'As POST /api/live-monitor/heartbeat.' },
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'heartbeat'),
    message: { name: 'HeartbeatRequest', schema: heartbeatRequest, example: { token: 'ACCESS_TOKEN', campaignId: 3, tabId: 'tab-1' } },
    reply: {
      name: 'HeartbeatAnswer',
      schema: heartbeatAnswer,
      example: {
        ok: true,
        data: {
          expiresAt: 1790845230000,
          capacity: { mine: 5, used: 2, total: 10, waiting: 0 },
          assigned: ['5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10'],
        },
      },
    },
  },
  {
    id: 'leaveMonitoring',
    summary: '退出监听',
    detail: '与 DELETE /api/live-monitor/presence 相同。',
    en: { summary: 'A monitor leaves', detail: 'As DELETE /api/live-monitor/presence.' },
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'leave'),
    message: session,
    reply: {
      name: 'LeaveAnswer',
      schema: leaveAnswer,
      example: { ok: true, data: { released: ['5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10'] } },
    },
  },
  {
    id: 'claimIntervention',
    summary: '申请人工介入',
    detail: '与 POST /api/live-calls/:callKey/intervene 相同；when 为 now 时立即打断机器人。',
    en: { summary: 'Ask to step in', detail: 'As POST /api/live-calls/:callKey/intervene; when: now interrupts the machine at once.' },
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'claim'),
    message: { name: 'ClaimRequest', schema: claimRequest, example: { token: 'ACCESS_TOKEN', when: 'now' } },
    reply: interventionReply,
  },
  {
    id: 'withdrawIntervention',
    summary: '取消人工介入申请',
    detail: '与 POST /api/live-calls/:callKey/intervention/cancel 相同。',
    en: { summary: 'Withdraw the request to step in', detail: 'As POST /api/live-calls/:callKey/intervention/cancel.' },
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'cancel'),
    message: session,
    reply: interventionReply,
  },
  {
    id: 'releaseCall',
    summary: '让出通话的监听',
    detail: '与 POST /api/live-calls/:callKey/release 相同。',
    en: { summary: 'Give a monitored call away', detail: 'As POST /api/live-calls/:callKey/release.' },
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'release'),
    message: session,
    reply: { name: 'ReleaseAnswer', schema: releaseAnswer, example: endCallAnswerExample },
  },
] as const satisfies readonly BusOperation[];
