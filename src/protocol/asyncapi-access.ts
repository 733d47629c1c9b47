import { runtimeInboxPrefix } from './address.ts';
import type { BusOperation } from './bus-operation.ts';
import { PROOF_HEADER, PROOF_TEST_VECTOR } from './proof.ts';
import { RUNTIME_RESPONSES, RUNTIME_USER, runtimePermissions, SERVER_PERMISSIONS } from './bus-users.ts';

export type Json = Readonly<Record<string, unknown>>;

const variables = {
  host: { default: '127.0.0.1', description: 'NATS 的地址，address of NATS' },
  port: { default: '4222', description: 'NATS 的端口，port of NATS' },
};
const users = [{ $ref: '#/components/securitySchemes/natsRuntime' }, { $ref: '#/components/securitySchemes/natsServer' }];

/** Servers of the AsyncAPI document. */
export const BUS_SERVERS: Readonly<Record<string, Json>> = {
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
export const BUS_SECURITY: Readonly<Record<string, Json>> = {
  natsRuntime: {
    type: 'userPassword',
    description: `话术运行时的 NATS 用户（见 docker/nats.conf 的 ${RUNTIME_USER}），只有下列主题的权限；每个运行时可以各有一个用户。应答在 ${runtimeInboxPrefix('<用户名>')} 之下接收（客户端选项 inboxPrefix），订阅 _INBOX.> 会被拒绝\n\nThe NATS user of a call-flow runtime, with permissions on these subjects alone; each runtime may have a user of its own. It hears answers under ${runtimeInboxPrefix('<user>')} (the client’s option inboxPrefix); a subscription to _INBOX.> is refused`,
    'x-permissions': { ...runtimePermissions(RUNTIME_USER), allowResponses: RUNTIME_RESPONSES },
    'x-inbox-prefix': runtimeInboxPrefix('<user>'),
  },
  natsServer: {
    type: 'userPassword',
    description: '服务器各实例的 NATS 用户；运行时没有此权限\n\nThe user of the server’s instances; no runtime has it',
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
      '以内部令牌签名，令牌本身不在总线上传送。消息头 Nats-Msg-Id：每条消息不同（重发时不变）；Callout-Time：UTC 毫秒，须与服务器时间相差不超过 60 秒；Callout-Proof：base64url(HMAC-SHA256(SHA256(内部令牌), 主题 + "\\n" + Nats-Msg-Id + "\\n" + Callout-Time + "\\n" + 消息体))，不带填充。时钟不准的运行时以 hello、beat 应答中的 serverTime 校正；应答 STALE_PROOF 时按 serverTime 立即重发。同一签名只接受一次；上报重发用同一 Nats-Msg-Id、新的时间。服务器没有设置内部令牌时不校验；总线另设用户与权限时仍须签名\n\nSigned with the internal token, which itself never travels. Headers: Nats-Msg-Id, another one for each message (the same when it is sent again); Callout-Time, UTC ms, within 60 s of the server’s time; Callout-Proof, base64url(HMAC-SHA256(SHA256(token), subject + "\\n" + Nats-Msg-Id + "\\n" + Callout-Time + "\\n" + body)) without padding. A runtime whose clock is wrong goes by serverTime of the answers to hello and beat; STALE_PROOF asks for the same again at once, by serverTime. A proof is taken once; a report that is sent again keeps its Nats-Msg-Id and names a new time. Not asked for where the server has no token; asked for also on a bus with users of its own',
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
