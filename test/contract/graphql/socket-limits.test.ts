import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { socketUrl } from './graphql-client.ts';
import { openAdmitted, openSocket } from './hand-made-socket.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const login = async () => String((await server.api('POST', '/api/auth/login', ADMIN)).data.token);

describe('an unauthenticated socket', () => {
  test('may send 4 kB', async () => {
    const socket = await openSocket(socketUrl(server));
    socket.say({ type: 'connection_init', payload: { authorization: 'x'.repeat(5_000) } });
    expect([1006, 4401]).toContain((await socket.untilClosed()).code);
    const slow = await openSocket(socketUrl(server));
    slow.socket.send('x'.repeat(3_000), { fin: false });
    slow.socket.send('x'.repeat(3_000), { fin: false });
    expect((await slow.untilClosed()).code).toBe(1006);
  });

  test('may send no pings, neither of the protocol nor of the socket', async () => {
    const speaking = await openSocket(socketUrl(server));
    speaking.say({ type: 'ping' });
    expect((await speaking.untilClosed()).code).toBe(4400);
    const knocking = await openSocket(socketUrl(server));
    knocking.socket.ping();
    expect((await knocking.untilClosed()).code).toBe(4400);
  });

  test('shares a small number of places with others of its address, until it is acknowledged', async () => {
    const token = await login();
    const known = await openAdmitted(socketUrl(server), token);
    known.say({ type: 'ping' });
    await known.untilReceived('pong');
    const newcomers = await Promise.all(Array.from({ length: 100 }, () => openSocket(socketUrl(server))));
    await expect(openSocket(socketUrl(server))).rejects.toThrow('503');
    for (const { socket } of newcomers) socket.terminate();
    await waitUntil('a place', () =>
      openAdmitted(socketUrl(server), token).then(
        ({ socket }) => {
          socket.close();
          return true;
        },
        () => null,
      ),
    );
    known.socket.close();
  });

  test('has the address that a trusted proxy reports, in either header', async () => {
    const proxied = await startTestServer({ beside: server, config: { server: { trustedProxies: ['loopback'] } } });
    try {
      const from = (headers: Record<string, string>) => openSocket(socketUrl(proxied), { headers });
      await Promise.all(Array.from({ length: 100 }, (_, index) => from({ 'X-Forwarded-For': `1.2.3.${index}, 203.0.113.9` })));
      await expect(from({ Forwarded: 'for="203.0.113.9:4711"' })).rejects.toThrow('503');
      await from({ Forwarded: 'for=203.0.113.10' });
      await from({ 'X-Forwarded-For': '203.0.113.10' });
    } finally {
      await proxied.close();
    }
  });
});

test('operations over sockets count like requests, per user across sessions', async () => {
  const strict = await startTestServer({ beside: server, config: { server: { requestsPerMinute: 12 } } });
  try {
    const [first, second] = [await openAdmitted(socketUrl(strict), await login()), await openAdmitted(socketUrl(strict), await login())];
    for (let index = 0; index < 8; index++) {
      const payload = { query: '{ me { authenticated } }' };
      first.say({ id: `a${index}`, type: 'subscribe', payload });
      second.say({ id: `b${index}`, type: 'subscribe', payload });
    }
    await waitUntil('all to be answered', () => {
      const ended = [...first.received, ...second.received].filter(({ type }) => type === 'complete' || type === 'error');
      return ended.length === 16 ? true : null;
    });
    const refused = [...first.received, ...second.received].filter(({ type }) => type === 'error');
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused[0]?.payload).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) } }]);
  } finally {
    await strict.close();
  }
});

test('a session has a limited number of sockets; a closed one frees its place', async () => {
  const few = await startTestServer({ beside: server, config: { server: { streamsPerSession: 2 } } });
  try {
    const token = await login();
    const [first] = [await openAdmitted(socketUrl(few), token), await openAdmitted(socketUrl(few), token)];
    const third = await openSocket(socketUrl(few));
    third.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    expect(await third.untilClosed()).toEqual({ code: 1013, reason: 'Too many connections' });
    first.socket.close();
    await first.untilClosed();
    const again = await waitUntil('the place', () => openAdmitted(socketUrl(few), token).catch(() => null));
    again.socket.close();
  } finally {
    await few.close();
  }
});
