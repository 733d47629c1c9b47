import { z } from 'zod';
import type { BusMessageContract, BusOperation } from './bus-operation.ts';
import { BUS_OPERATIONS } from './operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** An AsyncAPI 3.0 document, as far as the page reads it. */
export interface AsyncApiDocument {
  asyncapi: '3.0.0';
  info: { title: string; version: string; description: string };
  defaultContentType: string;
  channels: Record<string, Json>;
  operations: Record<string, Json>;
  components: { messages: Record<string, Json>; schemas: Record<string, Json> };
}

const ABOUT =
  'Callout 在 NATS 上的消息契约，从服务器的角度描述：send 由服务器发出，receive 由服务器接收。所有消息为 JSON。request 为请求/应答（应答发往请求的回复地址），stream 写入 JetStream 流 RUNTIME 并等待确认，core 只发送一次。stream 与 core 没有应答：不合规的消息立即丢弃，所指通话不存在的上报投递三次后丢弃，原因见服务器日志，次数见 /metrics 的 callout_bus_messages_discarded_total。';

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
 * The contract of the bus, generated from the schemas that validate it.
 *
 * Source: A4
 */
export function asyncApiDocument(version: string): AsyncApiDocument {
  const messages = new Map<string, BusMessageContract>();
  for (const { message, reply } of BUS_OPERATIONS) for (const each of [message, reply]) if (each) messages.set(each.name, each);
  return {
    asyncapi: '3.0.0',
    info: { title: 'Callout 消息总线', version, description: ABOUT },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(BUS_OPERATIONS.flatMap(channels)),
    operations: Object.fromEntries(BUS_OPERATIONS.map(operation => [operation.id, describeOperation(operation)])),
    components: {
      messages: Object.fromEntries([...messages.keys()].map(name => [name, describeMessage(name)])),
      schemas: Object.assign({}, ...[...messages.values()].map(schemasOf)),
    },
  };
}

/** The operation's own subject; answers travel to an address that the request names. */
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

function describeOperation({ id, action, carrier, queue, summary, detail, message, reply }: BusOperation): Json {
  return {
    action,
    channel: { $ref: `#/channels/${id}` },
    summary,
    description: detail,
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

/** The only part without a name of its own is `z.json()`, which refers to itself. */
const JSON_VALUE = 'JsonValue';

/** A schema and the parts that it refers to, each with a place of its own under components. */
function schemasOf({ name, schema }: BusMessageContract): Record<string, Json> {
  const {
    $schema: _dialect,
    definitions = {},
    ...own
  } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const parts = Object.entries(Object(definitions) as Json).map(([part, content]) => [partName(part), placed(content)] as const);
  // A schema with a name is a part itself, and what stands beside the parts only refers to it.
  return { [name]: placed(own), ...Object.fromEntries(parts) };
}

function placed(schema: unknown): Json {
  const { id: _id, ...rest } = Object(schema) as Json;
  return withRefs(rest) as Json;
}

function partName(part: string): string {
  return part.startsWith('__') ? JSON_VALUE : part;
}

function withRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, isRef(key, member) ? movedRef(member) : withRefs(member)]));
}

function isRef(key: string, member: unknown): member is string {
  return key === '$ref' && typeof member === 'string';
}

function movedRef(ref: string): string {
  return `#/components/schemas/${partName(ref.slice('#/definitions/'.length))}`;
}
