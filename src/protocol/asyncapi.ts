import { BUS_SECURITY, BUS_SERVERS, type Json, schemesOf } from './asyncapi-access.ts';
import type { BusMessageContract, BusOperation } from './bus-operation.ts';
import { DELIVERY_RULES } from './delivery-rules.ts';
import { BUS_ERROR_CODES } from './error-codes.ts';
import { cellMediaForms } from './media.ts';
import { BUS_OPERATIONS } from './operations.ts';
import { RUNTIME_CONTRACT } from './runtime-pool.ts';
import { schemasOf } from './schema-parts.ts';
import { scriptCondition, scriptNode } from './script-nodes.ts';

/** An AsyncAPI 3.1 document, limited to the members that the page reads. */
export interface AsyncApiDocument {
  asyncapi: '3.1.0';
  info: { title: string; version: string; description: string };
  defaultContentType: string;
  servers: Readonly<Record<string, Json>>;
  channels: Record<string, Json>;
  operations: Record<string, Json>;
  components: { messages: Record<string, Json>; schemas: Record<string, Json>; securitySchemes: Readonly<Record<string, Json>> };
  'x-runtime-contract': typeof RUNTIME_CONTRACT;
  'x-delivery-rules': typeof DELIVERY_RULES;
  'x-error-codes': typeof BUS_ERROR_CODES;
}

/** Introduction to the bus, in both languages of the page. */
export const BUS_ABOUT = {
  zh: 'Callout 在 NATS 上的消息契约，从服务器的角度描述：send 由服务器发出，receive 由服务器接收。所有消息为 JSON。request 为请求/应答（应答发往请求的回复地址），stream 写入 JetStream 流 RUNTIME 并等待确认，core 只发送一次。stream 与 core 没有应答：不合规的消息立即丢弃，所指通话不存在的上报投递三次后丢弃；原因告知其运行时（rejected）与操作员，次数见 /metrics 的 callout_bus_messages_discarded_total。',
  en: 'The messages of Callout on NATS, seen from the server: send is what it sends, receive what it takes. All are JSON. request: request/reply (answers go to the reply address); stream: written to the JetStream stream RUNTIME, which acknowledges; core: sent once. stream and core have no answer: a malformed message is dropped at once, a report of an unknown call after three deliveries; its runtime (rejected) and the operators are told why, and /metrics counts them as callout_bus_messages_discarded_total.',
} as const;

const PARAMETERS: Readonly<Record<string, string>> = {
  requestId: '一次拨打的 UUID，也是交换机上的通道 uuid',
  campaignId: '活动 id',
  runtimeId: '话术运行时的编号',
  sessionId: '网页话机会话的 UUID',
  scriptId: '话术脚本 id',
  userId: '监听坐席的用户 id，没有时为 _',
  kind: '增量的种类',
};

/**
 * The contract of the bus, generated from the schemas that validate its messages.
 *
 * Source: A4
 */
export function asyncApiDocument(version: string): AsyncApiDocument {
  const messages = new Map<string, BusMessageContract>();
  for (const { message, reply } of BUS_OPERATIONS) for (const each of [message, reply]) if (each) messages.set(each.name, each);
  return {
    asyncapi: '3.1.0',
    info: { title: 'Callout 消息总线', version, description: `${BUS_ABOUT.zh}\n\n${BUS_ABOUT.en}` },
    defaultContentType: 'application/json',
    servers: BUS_SERVERS,
    channels: Object.fromEntries(BUS_OPERATIONS.flatMap(channels)),
    operations: Object.fromEntries(BUS_OPERATIONS.map(operation => [operation.id, describeOperation(operation)])),
    components: {
      messages: Object.fromEntries([...messages.keys()].map(name => [name, describeMessage(name)])),
      schemas: Object.assign(
        {},
        ...[...messages.values()].map(({ name, schema }) => schemasOf(name, schema)),
        schemasOf('RuntimeNode', scriptNode),
        schemasOf('ScriptCondition', scriptCondition),
        schemasOf('CellMedia', cellMediaForms),
      ),
      securitySchemes: BUS_SECURITY,
    },
    'x-runtime-contract': RUNTIME_CONTRACT,
    'x-delivery-rules': DELIVERY_RULES,
    'x-error-codes': BUS_ERROR_CODES,
  };
}

/** Channels of an operation: its subject, and for a reply one without an address, because the request names the reply subject. */
function channels({ id, address, summary, message, reply }: BusOperation): [string, Json][] {
  const parameters = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, { description: PARAMETERS[name] ?? name }] as const);
  const own: Json = {
    address,
    title: summary,
    ...(parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) }),
    messages: { [message.name]: messageRef(message) },
  };
  const answers: [string, Json][] = reply
    ? [[replyChannel(id), { address: null, title: `${summary}：应答`, messages: { [reply.name]: messageRef(reply) } }]]
    : [];
  return [[id, own], ...answers];
}

function describeOperation(operation: BusOperation): Json {
  const { id, action, peer, carrier, queue, summary, detail, en, message, reply } = operation;
  return {
    action,
    channel: { $ref: `#/channels/${id}` },
    title: en.summary,
    summary,
    description: `${detail}\n\n${en.detail}`,
    security: schemesOf(operation).map(scheme => ({ $ref: `#/components/securitySchemes/${scheme}` })),
    messages: [{ $ref: `#/channels/${id}/messages/${message.name}` }],
    ...(reply
      ? {
          reply: {
            channel: { $ref: `#/channels/${replyChannel(id)}` },
            messages: [{ $ref: `#/channels/${replyChannel(id)}/messages/${reply.name}` }],
          },
        }
      : {}),
    ...(queue === undefined ? {} : { bindings: { nats: { queue, bindingVersion: '0.1.0' } } }),
    'x-carrier': carrier,
    'x-peer': peer,
  };
}

function describeMessage(name: string): Json {
  const examples = BUS_OPERATIONS.flatMap(({ message, reply }) => [message, reply])
    .filter(each => each?.name === name)
    .map(each => ({ payload: each?.example }));
  const distinct = new Map(examples.map(example => [JSON.stringify(example), example]));
  return {
    name,
    contentType: 'application/json',
    payload: { $ref: `#/components/schemas/${name}` },
    examples: [...distinct.values()],
  };
}

function messageRef({ name }: BusMessageContract): Json {
  return { $ref: `#/components/messages/${name}` };
}

function replyChannel(operationId: string): string {
  return `${operationId}Reply`;
}
