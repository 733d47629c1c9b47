import { RUNTIME_INBOXES, runtimeInboxPrefix } from './address.ts';
import { BUS_ERROR_CODES, DELIVERY_RULES } from './asyncapi-texts.ts';
import { type BusMessageContract, type BusOperation, schemasOf } from './bus-operation.ts';
import { cellMediaForms } from './hand-over.ts';
import { BUS_OPERATIONS } from './operations.ts';
import { RUNTIME_CONTRACT } from './pool.ts';
import { PROOF_HEADER, PROOF_TEST_VECTOR } from './proof.ts';
import { scriptCondition, scriptNode } from './script-nodes.ts';
import { commandsOf, softphoneCommandsOf } from './subjects.ts';

/** Permissions of a NATS user. */
interface BusPermissions {
  publish: string[];
  subscribe: string[];
}

/** Reply subjects of servers, and of clients without a NATS user of their own. */
const INBOX = '_INBOX.>';

/** The runtimes' user in docker/nats.conf. A runtime may have a user of its own, which cannot receive replies to other runtimes. */
export const RUNTIME_USER = 'callout-runtime';

/** Service discovery: lets clients find a runtime that registers as a NATS service (ADR-32). */
const DISCOVERY = '$SRV.>';

/** Wildcards that a runtime subscribes to as a whole, so that it also receives commands introduced later. */
const WHOLE = [commandsOf('*'), softphoneCommandsOf('*')];

/** Last tokens of the call commands that the server sends and a runtime answers. */
export const CALL_COMMANDS: readonly string[] = addresses('send').flatMap(subject => nameIn(commandsOf('*'), subject) ?? []);

/** Permissions of a runtime: only its part of the contract. It cannot read captions or replies to others, nor control campaigns. */
export function runtimePermissions(user: string): BusPermissions {
  const inbox = `${runtimeInboxPrefix(user)}.>`;
  return { publish: addresses('receive'), subscribe: [...new Set(addresses('send').map(subscribedAs)), DISCOVERY, inbox] };
}

/** Lets a runtime answer the requests that it receives, and publish nothing else to the requester's inbox. */
export const RUNTIME_RESPONSES = { max: 1, expires: '1m' } as const;

/** Permissions of a server: every subject of Callout, and JetStream for the durable inbox. */
export const SERVER_PERMISSIONS: BusPermissions = {
  publish: ['callout.v1.>', '$JS.API.>', '$JS.ACK.>', INBOX, `${RUNTIME_INBOXES}.>`],
  subscribe: ['callout.v1.>', INBOX],
};

function addresses(action: 'send' | 'receive'): string[] {
  const own = BUS_OPERATIONS.filter(operation => operation.peer === 'runtime' && operation.action === action);
  return [...new Set(own.map(({ address }) => address.replaceAll(/\{\w+\}/g, '*')))];
}

function subscribedAs(subject: string): string {
  return WHOLE.find(pattern => nameIn(pattern, subject) !== null) ?? subject;
}

/** Last token of a subject that the pattern matches; null when it does not match. */
function nameIn(pattern: string, subject: string): string | null {
  const before = pattern.slice(0, -1);
  return subject.startsWith(before) ? subject.slice(before.length) : null;
}

type Json = Readonly<Record<string, unknown>>;

const variables = {
  host: { default: '127.0.0.1', description: 'NATS 的地址，address of NATS' },
  port: { default: '4222', description: 'NATS 的端口，port of NATS' },
};
const users = [{ $ref: '#/components/securitySchemes/natsRuntime' }, { $ref: '#/components/securitySchemes/natsServer' }];

/** Servers of the AsyncAPI document. */
const BUS_SERVERS: Readonly<Record<string, Json>> = {
  nats: {
    host: '{host}:{port}',
    protocol: 'nats',
    title: '内部网络',
    description:
      'NATS 2.9 或更新，启用 JetStream；不加密，只用于内部网络\n\nNATS 2.9 or newer with JetStream; in the clear, for a network of one’s own',
    variables,
    security: users,
  },
  tls: {
    host: '{host}:{port}',
    protocol: 'tls',
    title: 'TLS',
    description: '同上，经 TLS；地址写作 tls://…\n\nAs above over TLS; written tls://…',
    variables,
    security: users,
  },
};

/** Security schemes: the NATS users, and the credentials that a message itself carries. */
const BUS_SECURITY: Readonly<Record<string, Json>> = {
  natsRuntime: {
    type: 'userPassword',
    description: `话术引擎的 NATS 用户（见 docker/nats.conf 的 ${RUNTIME_USER}），只有下列主题的权限；每个话术引擎可以各有一个用户。应答在 ${runtimeInboxPrefix('<用户名>')} 之下接收（客户端选项 inboxPrefix），订阅 _INBOX.> 会被拒绝\n\nThe NATS user of a call-flow runtime, with permissions on these subjects alone; each runtime may have a user of its own. It hears answers under ${runtimeInboxPrefix('<user>')} (the client’s option inboxPrefix); a subscription to _INBOX.> is refused`,
    'x-permissions': { ...runtimePermissions(RUNTIME_USER), allowResponses: RUNTIME_RESPONSES },
    'x-inbox-prefix': runtimeInboxPrefix('<user>'),
  },
  natsServer: {
    type: 'userPassword',
    description: '服务器各实例的 NATS 用户；话术引擎没有此权限\n\nThe user of the server’s instances; no runtime has it',
    'x-permissions': SERVER_PERMISSIONS,
  },
  internalToken: {
    type: 'apiKey',
    in: 'password',
    description:
      '消息成员 internalToken，与 REST 的 X-Callout-Internal-Token 相同；明文传送，能签名的程序应改用 proof\n\nThe message’s member internalToken, as X-Callout-Internal-Token of REST; it travels in the clear: who can sign uses proof',
    'x-message-member': 'internalToken',
  },
  proof: {
    type: 'httpApiKey',
    in: 'header',
    name: PROOF_HEADER,
    description:
      '以内部令牌签名，令牌本身不在总线上传送。消息头 Nats-Msg-Id：每条消息不同（重发时不变）；Callout-Time：UTC 毫秒，须与服务器时间相差不超过 60 秒；Callout-Proof：base64url(HMAC-SHA256(SHA256(内部令牌), 主题 + "\\n" + Nats-Msg-Id + "\\n" + Callout-Time + "\\n" + 消息体))，不带填充。时钟不准的话术引擎以 hello、beat 应答中的 serverTime 校正；应答 STALE_PROOF 时按 serverTime 立即重发。同一签名只接受一次；上报重发用同一 Nats-Msg-Id、新的时间。服务器没有设置内部令牌时不校验；总线另设用户与权限时仍须签名\n\nSigned with the internal token, which itself never travels. Headers: Nats-Msg-Id, another one for each message (the same when it is sent again); Callout-Time, UTC ms, within 60 s of the server’s time; Callout-Proof, base64url(HMAC-SHA256(SHA256(token), subject + "\\n" + Nats-Msg-Id + "\\n" + Callout-Time + "\\n" + body)) without padding. A runtime whose clock is wrong goes by serverTime of the answers to hello and beat; STALE_PROOF asks for the same again at once, by serverTime. A proof is taken once; a report that is sent again keeps its Nats-Msg-Id and names a new time. Not asked for where the server has no token; asked for also on a bus with users of its own',
    'x-test-vector': PROOF_TEST_VECTOR,
  },
  session: {
    type: 'apiKey',
    in: 'user',
    description:
      '消息成员 token：登录得到的令牌，权限与 REST 相同\n\nThe message’s member token: a session of a login, with its permissions',
    'x-message-member': 'token',
  },
};

const CREDENTIALS = {
  session: ['session'],
  proof: ['proof'],
  sessionOrProof: ['session', 'proof'],
  either: ['session', 'internalToken', 'proof'],
} as const;

/** Names of the security schemes that allow an operation; one of them suffices. */
export function schemesOf({ peer, credential }: Pick<BusOperation, 'peer' | 'credential'>): readonly string[] {
  if (credential !== undefined) return CREDENTIALS[credential];
  return [peer === 'runtime' ? 'natsRuntime' : 'natsServer'];
}

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
  zh: 'Callout 在 NATS 上的消息契约，从服务器的角度描述：send 由服务器发出，receive 由服务器接收。所有消息为 JSON。request 为请求/应答（应答发往请求的回复地址），stream 写入 JetStream 流 RUNTIME 并等待确认，core 只发送一次。stream 与 core 没有应答：不合规的消息立即丢弃，所指通话不存在的上报投递三次后丢弃；原因告知其话术引擎（rejected）与操作员，次数见 /metrics 的 callout_bus_messages_discarded_total。',
  en: 'The messages of Callout on NATS, seen from the server: send is what it sends, receive what it takes. All are JSON. request: request/reply (answers go to the reply address); stream: written to the JetStream stream RUNTIME, which acknowledges; core: sent once. stream and core have no answer: a malformed message is dropped at once, a report of an unknown call after three deliveries; its runtime (rejected) and the operators are told why, and /metrics counts them as callout_bus_messages_discarded_total.',
} as const;

const PARAMETERS: Readonly<Record<string, string>> = {
  requestId: '一次拨打的 UUID，也是交换机上的通道 uuid',
  campaignId: '活动 id',
  runtimeId: '话术引擎的编号',
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
