import { z } from 'zod';
import { bigRowId, instant, rowId } from '#kernel/fields.ts';
import type { JsonObject } from '#kernel/json.ts';

/** The call that an event is about; facts that no later report changes. */
const callFacts = {
  requestId: z.string().meta({ description: '一次呼叫的编号（UUID），也是通道的 uuid' }),
  attemptId: bigRowId,
  campaignId: rowId,
  campaignName: z.string(),
  businessCode: z.string(),
  contactId: bigRowId,
  externalId: z.string().meta({ description: '联系人在贵方系统中的编号；空：没有' }),
  phoneNumber: z.string(),
  customerName: z.string(),
  callerNumber: z.string().nullable(),
  claimedAt: instant,
  dialedAt: instant.nullable(),
};

const answeredCall = z.object({ ...callFacts, answeredAt: instant }).meta({ id: 'WebhookAnsweredCall' });

const settledCall = z
  .object({
    ...callFacts,
    answeredAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationSeconds: z.int().nullable().meta({ description: '通话秒数；未接通为空或 0' }),
    status: z.string().meta({ description: 'completed 已完成，failed 失败，outcome_unknown 结果未知' }),
    callStatus: z.string().nullable(),
    outcome: z.string().nullable().meta({ description: '按交换机与话术引擎的证据得出的结果' }),
    hangupCause: z.string().nullable(),
    hangupBy: z.string().nullable(),
    classification: z.string().nullable(),
    intent: z.string().nullable(),
    optOut: z.boolean().meta({ description: '客户要求不再来电' }),
    isResultReported: z.boolean().meta({ description: '话术引擎已上报结果；否：结果可能稍后以 attempt.revised 到达' }),
    result: z.json().meta({ description: '话术引擎上报的 payload' }),
    resultFields: z.json().meta({ description: '话术声明的结果字段及其值；没有时为空' }),
    recordingName: z.string().nullable(),
    contactStatus: z.string(),
    attemptCount: z.int().meta({ description: '该联系人已计入的呼叫次数' }),
  })
  .meta({ id: 'WebhookSettledCall' });

const recordedCall = z
  .object({ ...callFacts, recordingName: z.string(), recordingPath: z.string().meta({ description: '凭会话下载录音的路径' }) })
  .meta({ id: 'WebhookRecordedCall' });

const overContact = z
  .object({
    contactId: bigRowId,
    campaignId: rowId,
    campaignName: z.string(),
    externalId: z.string(),
    phoneNumber: z.string(),
    customerName: z.string(),
    status: z.enum(['completed', 'failed']).meta({ description: 'completed 已接通并完成，failed 次数用完或不能再呼' }),
    attemptCount: z.int(),
    lastRequestId: z.string().nullable(),
  })
  .meta({ id: 'WebhookContactOver' });

const listedNumber = z
  .object({
    entryId: rowId,
    phoneNumber: z.string(),
    reason: z.string(),
    source: z.string().meta({ description: 'callback 通话中要求，manual 人工登记' }),
    scope: z.string(),
    expiresAt: instant.nullable(),
  })
  .meta({ id: 'WebhookOptOut' });

const promisedCall = z
  .object({
    callbackId: bigRowId,
    campaignId: rowId,
    campaignName: z.string(),
    contactId: bigRowId,
    externalId: z.string(),
    phoneNumber: z.string(),
    customerName: z.string(),
    dueAt: instant,
    until: instant.nullable(),
    note: z.string(),
    source: z.string(),
    agentId: rowId.nullable(),
    requestId: z.string().nullable().meta({ description: '约定回访的通话；通话之外约定的为空' }),
  })
  .meta({ id: 'WebhookCallback' });

/** A runtime event, which operators see in the console as well. */
const recordedEvent = z
  .object({
    eventId: bigRowId,
    level: z.string(),
    eventType: z.string().meta({ description: '运行事件的类型' }),
    title: z.string(),
    message: z.string(),
    campaignId: rowId.nullable(),
    campaignName: z.string().nullable(),
    requestId: z.string().nullable(),
    cellId: z.string().nullable(),
    detail: z.json(),
  })
  .meta({ id: 'WebhookRuntimeEvent' });

/** A finished import or export. */
const finishedJob = z
  .object({
    jobId: bigRowId,
    kind: z.string(),
    title: z.string(),
    state: z.string().meta({ description: 'done 完成，failed 失败' }),
    done: z.int(),
    total: z.int().nullable(),
    result: z.json(),
    error: z.json(),
  })
  .meta({ id: 'WebhookJob' });

const message = z.object({ title: z.string(), text: z.string(), link: z.string().nullable() }).meta({ id: 'WebhookMessage' });

interface EventKind {
  /** The record from which the data are read at delivery; `own`: the queued message has the data itself. */
  readonly from: 'attempt' | 'contact' | 'doNotCall' | 'callback' | 'runtimeEvent' | 'job' | 'own';
  /** The shape of `data`. A change that a receiver could stumble over is a new version. */
  readonly data: z.ZodObject;
  readonly version: number;
  readonly zh: string;
  readonly en: string;
}

const kind = (from: EventKind['from'], data: z.ZodObject, zh: string, en: string): EventKind => ({ from, data, version: 1, zh, en });

/**
 * Every event that an endpoint can subscribe to, with the one shape of its data.
 *
 * Source: D15.2
 */
export const WEBHOOK_EVENTS = {
  'attempt.answered': kind('attempt', answeredCall, '客户接听', 'Call answered'),
  'attempt.settled': kind('attempt', settledCall, '呼叫结束', 'Call ended'),
  'attempt.revised': kind('attempt', settledCall, '呼叫结果更正', 'Call revised'),
  'recording.ready': kind('attempt', recordedCall, '录音可下载', 'Recording ready'),
  'contact.completed': kind('contact', overContact, '联系人不再呼叫', 'Contact finished'),
  'contact.opted_out': kind('doNotCall', listedNumber, '列入勿扰名单', 'Opt-out'),
  'callback.promised': kind('callback', promisedCall, '约定回访', 'Callback promised'),
  'campaign.started': kind('runtimeEvent', recordedEvent, '活动启动', 'Campaign started'),
  'campaign.paused': kind('runtimeEvent', recordedEvent, '活动暂停', 'Campaign paused'),
  'campaign.blocked': kind('runtimeEvent', recordedEvent, '活动停止外呼', 'Campaign blocked'),
  'campaign.completed': kind('runtimeEvent', recordedEvent, '活动呼完', 'Campaign completed'),
  'intervention.requested': kind('runtimeEvent', recordedEvent, '申请人工介入', 'Take-over requested'),
  'intervention.transferring': kind('runtimeEvent', recordedEvent, '人工介入转接中', 'Take-over transferring'),
  'intervention.active': kind('runtimeEvent', recordedEvent, '人工已接入', 'Take-over active'),
  'intervention.ended': kind('runtimeEvent', recordedEvent, '人工介入结束', 'Take-over ended'),
  'intervention.cancelled': kind('runtimeEvent', recordedEvent, '人工介入取消', 'Take-over cancelled'),
  'intervention.failed': kind('runtimeEvent', recordedEvent, '人工介入失败', 'Take-over failed'),
  'intervention.expired': kind('runtimeEvent', recordedEvent, '人工介入失效', 'Take-over expired'),
  'alert.raised': kind('runtimeEvent', recordedEvent, '告警', 'Alert'),
  'import.completed': kind('job', finishedJob, '导入结束', 'Import finished'),
  'export.completed': kind('job', finishedJob, '导出结束', 'Export finished'),
  'report.ready': kind('own', message, '定时报表', 'Scheduled report'),
  'webhook.test': kind('own', message, '测试', 'Test'),
} as const satisfies Record<string, EventKind>;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

export function isEventType(text: string): text is WebhookEventType {
  return Object.hasOwn(WEBHOOK_EVENTS, text);
}

/** Events that an endpoint receives without a subscription. */
const UNSUBSCRIBED: readonly WebhookEventType[] = ['webhook.test'];

export const SUBSCRIBABLE = Object.keys(WEBHOOK_EVENTS)
  .filter(isEventType)
  .filter(type => !UNSUBSCRIBED.includes(type));

export function isSubscribable(text: string): boolean {
  return isEventType(text) && SUBSCRIBABLE.includes(text);
}

/** Schema of the message that a receiver gets for an event type; `/openapi.json` includes it. Source: D15.2 */
export function envelopeShape(type: WebhookEventType) {
  const { data, version, zh } = WEBHOOK_EVENTS[type];
  return z
    .object({
      type: z.literal(type),
      version: z.literal(version),
      timestamp: instant.meta({ description: '事件发生的时间' }),
      sequence: z.int().meta({ description: '同一 key 的事件在该端点的序号，从 1 起，没有间断' }),
      key: z.string().meta({ description: '事件的顺序所属：一次呼叫的 requestId，或 campaign:、contact: 等' }),
      data,
    })
    .meta({ description: zh });
}

/** The shapes of all messages, for `/openapi.json`. */
export function messageShapes(): Record<string, z.ZodType> {
  return Object.fromEntries(SUBSCRIBABLE.map(type => [type, envelopeShape(type)]));
}

export interface EventKindView {
  type: WebhookEventType;
  version: number;
  zh: string;
  en: string;
  /** JSON Schema of the message. */
  shape: JsonObject;
}

/** The catalogue as readers see it. */
export function listEventKinds(): EventKindView[] {
  return SUBSCRIBABLE.map(type => {
    const { version, zh, en } = WEBHOOK_EVENTS[type];
    return { type, version, zh, en, shape: jsonSchemaOf(type) };
  });
}

/** Serialises and parses the schema, which removes members that JSON cannot hold. */
function jsonSchemaOf(type: WebhookEventType): JsonObject {
  const schema = z.toJSONSchema(envelopeShape(type), { io: 'input', unrepresentable: 'any' });
  return jsonObject.parse(JSON.parse(JSON.stringify(schema)));
}

const jsonObject = z.record(z.string(), z.json());
