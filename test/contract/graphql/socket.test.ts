import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { MAX_OPERATIONS } from '#platform/graphql/protocol-session.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { connectClient, follow, socketUrl } from './graphql-client.ts';
import { type HandMadeSocket, openAdmitted, openSocket } from './hand-made-socket.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  token = (await server.api('POST', '/api/auth/login', ADMIN)).data.token;
});

const LIVE = 'subscription { liveCalls { __typename } }';

const admitted = () => openAdmitted(socketUrl(server), token);

describe('operations that cannot begin', () => {
  test('an unknown operation name ends the operation, not the socket', async () => {
    const socket = await admitted();
    socket.say({ id: '1', type: 'subscribe', payload: { query: '{ me { authenticated } }', operationName: 'Other' } });
    expect(await socket.untilReceived('error')).toMatchObject({
      payload: [{ message: '文档中没有操作 Other', extensions: { code: 'INVALID_ARGUMENT' } }],
    });
  });

  test('a document may require a cursor', async () => {
    const { client } = connectClient(server, token);
    const watched = follow<{ __typename: string }>(client, 'subscription($c: String!) { overview(after: $c) { __typename } }', 'overview', {
      c: 'gone',
    });
    await watched.until('the snapshot', ({ __typename }) => __typename === 'OverviewSnapshot');
    expect(watched.events[0]).toEqual({ __typename: 'Resync' });
    expect(watched.failures).toEqual([]);
    await client.dispose();
  });
});

describe('the language of failures', () => {
  const told = async (socket: HandMadeSocket, query: string) => {
    socket.say({ id: '1', type: 'subscribe', payload: { query } });
    const { payload } = await waitUntil('the answer', () => socket.received.find(({ id }) => id === '1'));
    return payload;
  };
  const MISSING = 'mutation { startCampaign(id: 999999) { ... on Refusal { message } } }';
  const english = { data: { startCampaign: { message: 'It does not exist, or was deleted.' } } };

  test('comes from connectionParams, else from the request that opened the socket, else Chinese', async () => {
    const byParams = await openSocket(socketUrl(server));
    byParams.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}`, acceptLanguage: 'en' } });
    await byParams.untilReceived('connection_ack');
    expect(await told(byParams, MISSING)).toMatchObject(english);
    const byHeader = await openSocket(socketUrl(server), { headers: { 'Accept-Language': 'en-GB, zh;q=0.5' } });
    byHeader.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    await byHeader.untilReceived('connection_ack');
    expect(await told(byHeader, MISSING)).toMatchObject(english);
    expect(await told(await admitted(), MISSING)).toMatchObject({ data: { startCampaign: { message: '活动不存在' } } });
  });

  test('applies to refusals before an operation begins, and to subscriptions', async () => {
    const begun = async (query: string) => {
      const socket = await openSocket(socketUrl(server), { headers: { 'Accept-Language': 'en' } });
      socket.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
      await socket.untilReceived('connection_ack');
      return told(socket, query);
    };
    expect(await begun('{ nothing }')).toMatchObject([{ message: 'Cannot query field "nothing" on type "Query".' }]);
    const dear = '{ campaigns(first: 200) { nodes { contacts(first: 200) { nodes { id } } } } }';
    expect(await begun(dear)).toMatchObject([{ message: expect.stringMatching(/^The operation is too dear/) }]);
    const gone = 'subscription { softphoneSession(sessionId: "7b6a0f6e-0000-4000-8000-000000000000") { __typename } }';
    expect(await begun(gone)).toMatchObject({ errors: [{ message: 'It does not exist, or was deleted.' }] });
  });
});

describe('authentication [D3.5]', () => {
  test('a session in connectionParams', async () => {
    await admitted();
  });

  test.each([[undefined], [{}], [{ authorization: 'Bearer wrong' }], [{ authorization: 'wrong' }], [{ authorization: 7 }]])(
    '%j gives 4401',
    async payload => {
      const socket = await openSocket(socketUrl(server));
      socket.say({ type: 'connection_init', ...(payload ? { payload } : {}) });
      expect(await socket.untilClosed()).toEqual({ code: 4401, reason: 'Unauthorized' });
    },
  );

  test('a token in the URL is ignored', async () => {
    const socket = await openSocket(`${socketUrl(server)}?access_token=${token}`);
    socket.say({ type: 'connection_init' });
    expect((await socket.untilClosed()).code).toBe(4401);
  });

  test('without authentication every client is the administrator [D3.4]', async () => {
    const open = await startTestServer({ beside: server, config: { auth: { enabled: false } } });
    const socket = await openSocket(socketUrl(open));
    socket.say({ type: 'connection_init' });
    await socket.untilReceived('connection_ack');
    await open.close();
    expect(await socket.untilClosed()).toEqual({ code: 1001, reason: 'Going away' });
  });

  test('an agent sees only their own calls', async () => {
    const { client } = connectClient(server, await server.loginAs('agent'));
    const watched = follow<{ calls: unknown[] }>(
      client,
      'subscription { liveCalls { ... on LiveCallsSnapshot { calls { callKey } } } }',
      'liveCalls',
    );
    expect(await watched.until('the snapshot', () => true)).toEqual({ calls: [] });
    await client.dispose();
  });
});

describe('the end of the session closes the socket with its own code, within 1 s [D3.2]', () => {
  test('at a logout, on every instance', async () => {
    const second = await startTestServer({ beside: server });
    const clients = [connectClient(server, token), connectClient(second, token)];
    const watched = clients.map(({ client }) => follow(client, LIVE, 'liveCalls'));
    await Promise.all(watched.map(({ until }) => until('the snapshot', () => true)));
    await server.api('POST', '/api/auth/logout', undefined, token);
    for (const { closed } of clients) {
      expect(await waitUntil('the socket to close', closed)).toEqual({ code: 4440, reason: 'Session ended' });
    }
    await second.close();
  });

  test('also when the client does not answer the close frame', async () => {
    const { socket } = await admitted();
    // Pausing the underlying stream leaves the close frame unread: only the end of the connection is visible.
    const below = Reflect.get(socket, '_socket') as Socket;
    below.pause();
    const peer = once(below, 'close');
    await server.api('POST', '/api/auth/logout', undefined, token);
    await waitUntil('the server to end the connection', async () => !(await isHeldByServer(below)));
    below.resume();
    await peer;
  });
});

const ESTABLISHED = '01';

/** Whether the server's end of the connection is still open, according to the kernel. */
async function isHeldByServer(client: Socket): Promise<boolean> {
  const port = (number: number | undefined) => (number ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map(line => line.trim().split(/\s+/));
  return rows.some(
    ([, local = '', remote = '', state]) =>
      local.endsWith(`:${port(client.remotePort)}`) && remote.endsWith(`:${port(client.localPort)}`) && state === ESTABLISHED,
  );
}

describe('operations over the socket', () => {
  test('queries work too, and pings get a pong', async () => {
    const socket = await admitted();
    socket.say({ type: 'subscribe', id: 'q', payload: { query: '{ me { user { username } } }' } });
    expect((await socket.untilReceived('next')).payload).toEqual({
      data: { me: { user: { username: 'admin' } } },
      extensions: { cost: 3 },
    });
    await socket.untilReceived('complete');
    socket.say({ type: 'ping', payload: { at: 1 } });
    expect((await socket.untilReceived('pong')).payload).toEqual({ at: 1 });
  });

  test('documents have the same limits, reported in Chinese with a code', async () => {
    const socket = await admitted();
    socket.say({
      type: 'subscribe',
      id: 'q',
      payload: { query: '{ campaigns(first: 200) { nodes { contacts(first: 200) { nodes { id: databaseId } } } } }' },
    });
    expect((await socket.untilReceived('error')).payload).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^查询过于复杂/),
        extensions: expect.objectContaining({ code: 'COST_LIMIT', cost: 80_401, limit: 10_000 }),
      }),
    ]);
  });

  test('a socket has a bounded number of subscriptions', async () => {
    const socket = await admitted();
    for (let id = 0; id <= MAX_OPERATIONS; id++) socket.say({ type: 'subscribe', id: String(id), payload: { query: LIVE } });
    expect(await socket.untilReceived('error')).toMatchObject({
      id: String(MAX_OPERATIONS),
      payload: [{ message: '每个连接最多同时 32 个订阅', extensions: { code: 'SUBSCRIPTION_LIMIT' } }],
    });
  });

  test('a subscription to an unknown campaign is an error', async () => {
    const { client } = connectClient(server, token);
    const watched = follow(client, 'subscription { campaignProgress(campaignId: 999999) { __typename } }', 'campaignProgress');
    await waitUntil('the refusal', () => watched.isOver());
    expect(watched.failures).toEqual([expect.objectContaining({ message: '活动不存在' })]);
    await client.dispose();
  });
});

test('an upgrade on another path is refused', async () => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/elsewhere`);
  const [error] = await once(socket, 'error');
  expect(String(error)).toContain('404');
});
