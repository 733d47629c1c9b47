import type { BusOperation } from './bus-operation.ts';
import { RUNTIME_PERMISSIONS, SERVER_PERMISSIONS } from './bus-users.ts';

type Json = Readonly<Record<string, unknown>>;

const variables = {
  host: { default: '127.0.0.1', description: 'NATS 的地址，address of NATS' },
  port: { default: '4222', description: 'NATS 的端口，port of NATS' },
};
const users = [{ $ref: '#/components/securitySchemes/natsRuntime' }, { $ref: '#/components/securitySchemes/natsServer' }];

/** Where the bus is. */
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

/** How to get in, and what a message itself must carry. */
export const BUS_SECURITY: Readonly<Record<string, Json>> = {
  natsRuntime: {
    type: 'userPassword',
    description:
      '话术运行时的 NATS 用户（见 docker/nats.conf 的 callout-runtime），只有下列主题的权限；每个运行时可以各有一个用户\n\nThe NATS user of a call-flow runtime, with permissions on these subjects alone; each runtime may have a user of its own',
    'x-permissions': { ...RUNTIME_PERMISSIONS, allowResponses: { max: 1, expires: '1m' } },
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
      '消息成员 internalToken，与 REST 的 X-Callout-Internal-Token 相同；服务器没有设置时不校验\n\nThe message’s member internalToken, as X-Callout-Internal-Token of REST; not checked where the server has none',
    'x-message-member': 'internalToken',
  },
  session: {
    type: 'apiKey',
    in: 'user',
    description:
      '消息成员 token：登录得到的令牌，权限与 REST 相同\n\nThe message’s member token: a session of a login, with its permissions',
    'x-message-member': 'token',
  },
};

const CREDENTIALS = { session: ['session'], internalToken: ['internalToken'], either: ['session', 'internalToken'] } as const;

/** The schemes that open an operation, one of which is enough. */
export function schemesOf({ peer, credential }: Pick<BusOperation, 'peer' | 'credential'>): readonly string[] {
  if (credential !== undefined) return CREDENTIALS[credential];
  return [peer === 'runtime' ? 'natsRuntime' : 'natsServer'];
}
