import { z } from 'zod';
import { bigRowId, flag, instant, instantText, requiredText, rowId, stamps } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';
import { isSubscribable, SUBSCRIBABLE } from './decisions/event-catalogue.ts';

/** Kinds of endpoints: a program, the robot of a chat group, or mailboxes. */
export const ENDPOINT_KINDS = ['webhook', 'feishu', 'dingtalk', 'wecom', 'email'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

export const ENDPOINT_STATUSES = ['enabled', 'paused', 'disabled'] as const;
export const ALERT_LEVELS = ['warning', 'error'] as const;
export const DELIVERY_STATES = ['waiting', 'delivered', 'given_up', 'dropped'] as const;

const MAX_NAME_LENGTH = 128;
const MAX_URL_LENGTH = 2_000;
const MAX_SECRET_LENGTH = 512;
const MAX_MAILBOX_LENGTH = 254;
const MAX_RECIPIENTS = 50;
const MAX_CAMPAIGNS = 200;

/** An endpoint as the API presents it, without its secret, which is returned once when it is made. Source: D15.1 */
export const webhook = z
  .object({
    id: rowId,
    name: z.string(),
    kind: z.enum(ENDPOINT_KINDS).meta({ description: 'webhook 程序；feishu、dingtalk、wecom 群机器人；email 邮箱' }),
    url: z.string().meta({ description: '地址；邮箱为 smtp:// 或 smtps:// 服务器' }),
    recipients: z.array(z.string()).meta({ description: '收件人，仅邮箱' }),
    sender: z.string().meta({ description: '发件人，仅邮箱' }),
    username: z.string().meta({ description: '邮件服务器的用户名，仅邮箱' }),
    types: z.array(z.string()).meta({ description: '订阅的事件' }),
    campaignIds: z.array(rowId).nullable().meta({ description: '只要这些活动的事件；空：全部' }),
    minLevel: z.enum(ALERT_LEVELS).meta({ description: 'alert.raised 的最低级别' }),
    status: z.enum(ENDPOINT_STATUSES).meta({ description: 'enabled 投递，paused 暂停投递（事件仍排队），disabled 已停用（不再记录事件）' }),
    disabledReason: z.string().nullable(),
    hasSecret: flag,
    previousUntil: instant.nullable().meta({ description: '在此之前，旧密钥同时签名' }),
    failingSince: instant.nullable().meta({ description: '连续失败的开始；空：最近一次成功' }),
    failures: z.int().meta({ description: '连续失败的次数' }),
    lastError: z.string().nullable(),
    restUntil: instant.nullable().meta({ description: '在此之前不再尝试' }),
    lastDeliveredAt: instant.nullable(),
    waiting: z.int().meta({ description: '等待投递的事件，最多数到 10000' }),
    ...stamps,
  })
  .meta({ id: 'Webhook' });

export type Webhook = z.output<typeof webhook>;

/** A message to an endpoint, in its queue or its log. Source: D15.3 */
export const webhookDelivery = z
  .object({
    id: bigRowId,
    endpointId: rowId,
    messageId: z.string().meta({ description: '请求头 webhook-id；重复投递时不变' }),
    type: z.string(),
    key: z.string(),
    sequence: z.int().nullable().meta({ description: '尚未尝试时为空' }),
    state: z.enum(DELIVERY_STATES).meta({
      description: 'waiting 等待，delivered 已送达，given_up 72 小时未送达而放弃，dropped 所述的数据已删除而不再投递',
    }),
    tries: z.int(),
    dueAt: instant,
    triedAt: instant.nullable(),
    deliveredAt: instant.nullable(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    answer: z.string().nullable().meta({ description: '应答的开头，最多 1 KiB' }),
    tookMs: z.int().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'WebhookDelivery' });

export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** An event that an endpoint can subscribe to. Source: D15.2 */
export const webhookEvent = z
  .object({
    type: z.string(),
    version: z.int(),
    zh: z.string(),
    en: z.string(),
    shape: z.json().meta({ description: '消息体的 JSON Schema' }),
  })
  .meta({ id: 'WebhookEvent' });

export type WebhookEvent = z.output<typeof webhookEvent>;

const eventType = z.string().max(64).refine(isSubscribable, issue('invalidChoice'));
const types = z
  .array(eventType)
  .min(1)
  .max(SUBSCRIBABLE.length)
  .transform(given => [...new Set(given)]);
/** The length is bounded first: what a server of mail accepts is its own decision. */
const mailbox = z
  .string()
  .trim()
  .max(MAX_MAILBOX_LENGTH, { abort: true })
  .regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/, issue('email'));
/** The secret of a robot or a mail server. A webhook's own is made by the server. */
const secret = z.string().trim().max(MAX_SECRET_LENGTH);

const fields = {
  name: requiredText(MAX_NAME_LENGTH),
  url: z.string().trim().min(1).max(MAX_URL_LENGTH),
  types,
  recipients: z.array(mailbox).max(MAX_RECIPIENTS),
  sender: z.union([z.literal(''), mailbox]),
  username: z.string().trim().max(MAX_MAILBOX_LENGTH),
  campaignIds: z.array(rowId).min(1).max(MAX_CAMPAIGNS).nullable(),
  minLevel: z.enum(ALERT_LEVELS),
};

export const newWebhook = z
  .object({
    ...fields,
    kind: z.enum(ENDPOINT_KINDS).optional().default('webhook'),
    recipients: fields.recipients.optional().default([]),
    sender: fields.sender.optional().default(''),
    username: fields.username.optional().default(''),
    campaignIds: fields.campaignIds.optional().default(null),
    minLevel: fields.minLevel.optional().default('warning'),
    secret: secret.optional().default('').meta({ description: '机器人的加签密钥，或邮件服务器的密码；程序的密钥由服务器生成' }),
  })
  .meta({ id: 'NewWebhook' });

export type NewWebhook = z.output<typeof newWebhook>;

export const webhookChanges = z
  .object({ ...fields, secret, status: z.enum(['enabled', 'paused']).meta({ description: 'enabled 也重新启用已停用的端点' }) })
  .partial()
  .meta({ id: 'WebhookChanges' });

export type WebhookChanges = z.output<typeof webhookChanges>;

/** Deliveries to be sent again; both instants bound when their events happened. */
export const webhookReplay = z.object({
  from: instantText,
  to: instantText,
  types: types.nullish(),
  onlyFailed: flag.optional().default(false).meta({ description: '只重放未送达的' }),
});

export type WebhookReplay = z.output<typeof webhookReplay>;
