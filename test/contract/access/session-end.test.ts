import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { natsSessionSignals, redisSessionStore } from '#access/session-store.ts';
import { endSessionsOf, localSessionSignals } from '#access/sessions.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let first: TestServer;
let second: TestServer;
beforeAll(async () => {
  first = await startTestServer();
  second = await startTestServer({ beside: first });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

let token: string;
beforeEach(async () => {
  token = (await first.api('POST', '/api/auth/login', ADMIN)).data.token;
});

async function openStream(server: TestServer) {
  const answer = await fetch(`${server.url}/api/runtime/events?access_token=${token}`);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  let ended = false;
  const reading = answer.text().then(() => (ended = true));
  return { hasEnded: () => ended, reading };
}

describe('the end of a session closes its streams on every instance [D3.2, D10]', () => {
  test('when it logs out', async () => {
    const streams = [await openStream(first), await openStream(second)];
    await first.api('POST', '/api/auth/logout', undefined, token);
    await waitUntil('both streams to end', () => streams.every(stream => stream.hasEnded()));
  });

  test('when all sessions of the user are ended, and only theirs', async () => {
    const other = await first.loginAs('agent');
    const { redis, bus } = first.running.context;
    const deps = {
      sessions: redisSessionStore(redis, systemClock),
      sessionSignals: natsSessionSignals(bus, localSessionSignals()),
      authEnabled: true,
    };
    const stream = await openStream(second);
    const me = await first.api('GET', '/api/auth/me', undefined, token);
    await endSessionsOf(deps, me.data.user.id);
    await waitUntil('the stream to end', () => stream.hasEnded());
    expect((await second.api('GET', '/api/roles/permissions', undefined, token)).status).toBe(401);
    expect((await second.api('GET', '/api/roles/permissions', undefined, other)).status).toBe(200);
  });

  test('when the instance drains', async () => {
    const third = await startTestServer({ beside: first });
    const stream = await openStream(third);
    await third.close();
    await stream.reading;
    expect(stream.hasEnded()).toBe(true);
  });
});
