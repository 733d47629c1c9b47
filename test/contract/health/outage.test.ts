import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { type ApiAnswer, startTestServer, type TestServer } from '#test/support/server.ts';
import { readEvents } from '#test/support/read-events.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let redis: PrivateService;
let postgres: PrivateService;
let server: TestServer;
let admin: string;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startPrivateService('redis', 'durable'), startPrivateService('postgres', 'durable')]);
  server = await startTestServer({ config: { cache: { url: redis.url }, database: { url: postgres.url, migrateOnStart: true } } });
  admin = await server.loginAs('admin');
}, 60_000);
afterAll(async () => {
  await server.close();
  await Promise.all([redis.stop(), postgres.stop()]);
});

/** Recovery takes at most 5 s (issue "Bad input and faults"); the wait is longer for a slow machine. */
const untilHealthy = () => waitUntil('health again', async () => (await server.api('GET', '/health')).status === 200);

function expectUnavailable(answer: ApiAnswer, msg: string): void {
  const traceId = answer.headers.get('x-request-id') ?? '';
  expect({ status: answer.status, code: answer.code, data: answer.data, msg: answer.msg }).toEqual({
    status: 503,
    code: '503',
    data: null,
    msg: `${msg}（追踪号 ${traceId}）`,
  });
}

const keyOf = ({ text }: ApiAnswer) => (JSON.parse(text) as { msgKey: string }).msgKey;

describe('without the cache', () => {
  test('sessions give 503, health is down and names the cache [D14.1, OCS 7]; recovers by itself', async () => {
    const watching = await readEvents(`${server.url}/api/live-calls/events`, { token: admin });
    await watching.next('snapshot');
    await redis.kill();
    expect((await watching.next('unavailable')).data).toEqual({ code: '503', msg: '共享缓存暂不可用，请稍后重新连接' });
    await waitUntil('the loss', async () => (await server.api('GET', '/health')).status === 503);
    const health = await server.api('GET', '/health');
    expect([health.code, keyOf(health)]).toEqual(['503', 'CACHE_UNAVAILABLE']);
    expect(health.data).toMatchObject({ status: 'down', cache: { ok: false, latencyMs: null }, database: { ok: true } });
    const ready = await server.api('GET', '/health/ready');
    expect([ready.status, keyOf(ready)]).toEqual([503, 'CACHE_UNAVAILABLE']);
    expect((await server.api('GET', '/health/live')).status).toBe(200);
    expectUnavailable(await server.api('GET', '/api/roles/permissions', undefined, admin), '共享缓存暂不可用，请稍后重试');
    expectUnavailable(await server.api('POST', '/api/auth/login', { username: 'admin', password: 'x' }), '共享缓存暂不可用，请稍后重试');
    expectUnavailable(await server.api('GET', '/api/live-calls/events', undefined, admin), '共享缓存暂不可用，请稍后重试');
    await redis.restart();
    await untilHealthy();
    expect((await server.api('GET', '/api/auth/me', undefined, admin)).data.authenticated).toBe(true);
  });
});

describe('without the database', () => {
  test('requests that need it give 503 without its message, health is down [D2.1, D14.1]; recovers by itself', async () => {
    await postgres.kill();
    await waitUntil('the loss', async () => (await server.api('GET', '/health')).status === 503);
    const health = await server.api('GET', '/health');
    expect([keyOf(health), health.data]).toMatchObject([
      'DATABASE_UNAVAILABLE',
      { status: 'down', cache: { ok: true }, database: { ok: false } },
    ]);
    const lines = await server.api('GET', '/api/lines', undefined, admin);
    expect(lines.status).toBe(503);
    expect(lines.text).not.toMatch(/ECONN|postgres|terminat/i);
    expect((await server.api('GET', '/api/auth/me', undefined, admin)).data.authenticated).toBe(true);
    await postgres.restart();
    await untilHealthy();
    expect((await server.api('GET', '/api/lines', undefined, admin)).status).toBe(200);
  });
});

// Reads succeed in this state; logins, dials and results fail.
describe('with a read-only store', () => {
  test('a read-only cache is down, and up again once writable [D14.1]', async () => {
    const { redis: link } = server.running.context;
    await link.run(client => client.replicaof('127.0.0.1', 1));
    await waitUntil('the loss', async () => (await server.api('GET', '/health')).status === 503);
    expect((await server.api('GET', '/health')).data).toMatchObject({ status: 'down', cache: { ok: false }, database: { ok: true } });
    const ready = await server.api('GET', '/health/ready');
    expect([ready.status, keyOf(ready)]).toEqual([503, 'CACHE_UNAVAILABLE']);
    await link.run(client => client.replicaof('NO', 'ONE'));
    await untilHealthy();
  });

  test('a read-only database is down, and up again once writable [D14.1]', async () => {
    const { database } = server.running.context;
    const set = (isReadOnly: boolean) =>
      database.rows(sql`select set_config('default_transaction_read_only', ${isReadOnly ? 'on' : 'off'}, false)`);
    // On every connection of the pool.
    const everywhere = (isReadOnly: boolean) => Promise.all(Array.from({ length: server.config.database.poolSize }, () => set(isReadOnly)));
    await waitUntil('the loss', async () => {
      await everywhere(true);
      return (await server.api('GET', '/health')).status === 503;
    });
    expect((await server.api('GET', '/health')).data).toMatchObject({ status: 'down', database: { ok: false } });
    await waitUntil('health again', async () => {
      await everywhere(false);
      return (await server.api('GET', '/health')).status === 200;
    });
  });
});
