import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { server: { trustedProxies: ['loopback'] } } });
});
afterAll(() => server.close());
beforeEach(() => server.running.context.redis.run(redis => redis.flushdb()));

/** Attempts to log in from an address that a trusted proxy reports. */
async function tryFrom(address: string, username: string, password: string) {
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ username, password }),
  });
  return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after') ?? 0), body: await answer.json() };
}

async function fail(times: number, address: string, username: (index: number) => string) {
  for (let index = 0; index < times; index++) expect((await tryFrom(address, username(index), 'wrong')).status).toBe(401);
}

describe('failed logins [D3.3]', () => {
  test('the sixth attempt of a user at an address within 15 min is 429 with Retry-After, even with the right password', async () => {
    await fail(5, '192.0.2.1', () => 'admin');
    const sixth = await tryFrom('192.0.2.1', 'Admin', ADMIN.password);
    expect(sixth).toMatchObject({ status: 429, body: { code: '429', data: null, msg: '登录失败次数过多，请稍后重试' } });
    expect(sixth.retryAfter).toBeGreaterThan(14 * 60);
    expect(sixth.retryAfter).toBeLessThanOrEqual(15 * 60);
  });

  test('every spelling of a name is one name: case, width, composition', async () => {
    const spellings = ['admin', 'ＡＤＭＩＮ', 'ａｄｍｉｎ', ' Admin', 'aｄmin'];
    await fail(5, '192.0.2.3', index => spellings[index] ?? '');
    expect((await tryFrom('192.0.2.3', 'Ａdmin', ADMIN.password)).status).toBe(429);
  });

  test('another address and another user are not affected', async () => {
    await fail(5, '192.0.2.1', () => 'admin');
    expect((await tryFrom('192.0.2.2', 'admin', ADMIN.password)).status).toBe(200);
    expect((await tryFrom('192.0.2.1', 'somebody', 'x')).status).toBe(401);
  });

  test('a success clears the failures of the user at the address', async () => {
    await fail(4, '192.0.2.1', () => 'admin');
    expect((await tryFrom('192.0.2.1', 'admin', ADMIN.password)).status).toBe(200);
    await fail(5, '192.0.2.1', () => 'admin');
  });

  test('30 failures of an address in 5 min block it, whatever the user names; a /64 counts as one address', async () => {
    await fail(30, '2001:db8::1', index => `user${index}`);
    const next = await tryFrom('2001:db8::ffff', 'admin', ADMIN.password);
    expect(next.status).toBe(429);
    expect(next.retryAfter).toBeLessThanOrEqual(5 * 60);
    expect((await tryFrom('2001:db8:0:1::1', 'admin', ADMIN.password)).status).toBe(200);
  });

  test('concurrent guesses do not pass the limit together', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryFrom('192.0.2.9', 'admin', 'wrong')));
    const wrong = answers.filter(({ status }) => status === 401).length;
    // Two hashes run at once: only the one beside the fifth failure can slip through.
    expect(wrong).toBeLessThanOrEqual(6);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - wrong);
  });
});
