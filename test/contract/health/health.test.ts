import { randomUUID } from 'node:crypto';
import { START_SUBJECTS } from '#protocol/subjects.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readEvents } from '#test/support/read-events.ts';
import { holdPlace, poolMember, poolOf } from '#test/support/pool-members.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await poolOf(server).beat(poolMember());
  // A report from a moment ago is cached.
  await waitUntil('the runtime to be seen', async () => (await server.api('GET', '/health')).data.runtimes.registered === 1);
});
afterAll(() => server.close());

/** Deadlines of a call that outlast the file. */
const UNHURRIED = { dialTimeoutMs: 600_000, graceMs: 600_000, resultGraceMs: 600_000 };
const dependency = { ok: true, latencyMs: expect.any(Number) };

describe('GET /health', () => {
  test('is public and returns service, version and every dependency [OCS 4.1, D14.1]', async () => {
    const answer = await server.api('GET', '/health');
    expect([answer.status, answer.code]).toEqual([200, '0000']);
    expect(answer.data).toEqual({
      service: 'callout',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      status: 'ok',
      database: dependency,
      cache: dependency,
      bus: dependency,
      switch: [],
      live: { source: 'idle', calls: 0 },
      runtimes: { ok: true, registered: 1, freePlaces: 10, hasUnregistered: false },
    });
  });

  test('returns only the number of runtimes to unauthenticated clients', async () => {
    const { text } = await server.api('GET', '/health');
    expect(text).not.toContain('runtime-1');
    expect(text).not.toContain('1.2.3');
  });

  test('is degraded, and still 200, without the bus, and reports that live calls are polled; recovers by itself', async () => {
    const watching = await readEvents(`${server.url}/api/live-calls/events`, { token: await server.loginAs('admin') });
    await watching.next('snapshot');
    await waitUntil('the feed to follow the bus', async () => (await server.api('GET', '/health')).data.live.source === 'bus');
    await server.nats.kill();
    const degraded = await waitUntil('degraded', async () => {
      const answer = await server.api('GET', '/health');
      return answer.data.status === 'degraded' ? answer : null;
    });
    expect(degraded.status).toBe(200);
    expect(degraded.data.bus).toEqual({ ok: false, latencyMs: null });
    expect(degraded.data.live).toEqual({ source: 'poll', calls: 0 });
    const { redis, bus } = server.running.context;
    const requestId = randomUUID();
    await watchedCalls(redis, bus, 4_242, UNHURRIED).start(requestId);
    const found = await watching.next('call-resync');
    expect(found.data).toMatchObject({ reason: 'DISCONNECTED', call: { requestId, status: 'dialing' } });
    watching.close();
    await server.nats.restart();
    await waitUntil('ok again', async () => (await server.api('GET', '/health')).data.status === 'ok');
  });
});

describe('GET /health without a runtime that accepts calls', () => {
  let lonely: TestServer;
  beforeAll(async () => {
    lonely = await startTestServer();
  });
  afterAll(() => lonely.close());
  const runtimes = async (of: TestServer) => {
    const { status, data } = await of.api('GET', '/health');
    return [status, data.status, data.runtimes];
  };

  test('is degraded, and ready; a draining runtime accepts none; ok again with a registered one', async () => {
    const pool = poolOf(lonely);
    await waitUntil('the report of nobody', async () => (await lonely.api('GET', '/health')).data.runtimes.registered === 0);
    expect(await runtimes(lonely)).toEqual([200, 'degraded', { ok: false, registered: 0, freePlaces: 0, hasUnregistered: false }]);
    expect((await lonely.api('GET', '/health/ready')).status).toBe(200);
    await pool.beat(poolMember({ isDraining: true }));
    await waitUntil('it to be told', async () => (await lonely.api('GET', '/health')).data.runtimes.registered === 1);
    expect(await runtimes(lonely)).toEqual([200, 'degraded', { ok: false, registered: 1, freePlaces: 0, hasUnregistered: false }]);
    const leave = lonely.running.context.bus.subscribe(START_SUBJECTS, {}, message =>
      message.respond?.({ ok: false, code: 'INVALID', msg: '' }),
    );
    await waitUntil('somebody to be heard', async () => (await lonely.api('GET', '/health')).data.runtimes.hasUnregistered);
    expect(await runtimes(lonely)).toEqual([200, 'ok', { ok: true, registered: 1, freePlaces: 0, hasUnregistered: true }]);
    leave();
  });

  test('is ok where runtimes take calls at the switch', async () => {
    const own = await startTestServer({ config: { dispatch: { runtime: 'rest' } } });
    try {
      expect(await runtimes(own)).toEqual([200, 'ok', { ok: true, registered: 0, freePlaces: 0, hasUnregistered: false }]);
    } finally {
      await own.close();
    }
  });
});

test('live and ready are for orchestrators [D14.1]', async () => {
  expect((await server.api('GET', '/health/live')).data).toEqual({ status: 'ok' });
  expect((await server.api('GET', '/health/ready')).data).toEqual({ status: 'ok' });
});

test('/metrics exposes requests, dependencies, slots, queues and event-loop lag in Prometheus text', async () => {
  await server.api('GET', '/health');
  expect((await server.api('GET', '/metrics')).status).toBe(401);
  const { text, headers } = await server.internal('GET', '/metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  expect(text).toMatch(/^callout_http_requests_total\{method="GET",route="\/health",status="200"\} \d+$/m);
  expect(text).toMatch(/^callout_http_request_seconds_count\{method="GET",route="\/health"\} \d+$/m);
  expect(text).toMatch(/^callout_dependency_up\{name="database"\} 1$/m);
  expect(text).toMatch(/^callout_slots_in_use\{kind="line"\} 0$/m);
  expect(text).toMatch(/^callout_queue_depth\{queue="outbox"\} 0$/m);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
});

test('/metrics exposes the runtimes by state, and the capacity of those that accept calls', async () => {
  const own = await startTestServer({ beside: server });
  const pool = poolOf(own);
  await pool.beat(poolMember({ runtimeId: 'live-2', maxCalls: 20 }));
  await holdPlace(own, 'live-2');
  await pool.beat(poolMember({ runtimeId: 'draining', maxCalls: 7, isDraining: true }));
  const { text } = await own.internal('GET', '/metrics');
  const samples = text.split('\n').filter(line => /^callout_runtime(s|_places)\{/.test(line));
  expect(samples.toSorted()).toEqual([
    'callout_runtime_places{kind="held"} 1',
    'callout_runtime_places{kind="max"} 30',
    'callout_runtimes{state="draining"} 1',
    'callout_runtimes{state="gone"} 0',
    'callout_runtimes{state="live"} 2',
  ]);
  await own.close();
});

test('/metrics does not grow with unknown paths and methods', async () => {
  const strange = Array.from({ length: 60 }, (_none, index) => [`/nobody/${index}`, `/api/lines/${index}/x`, `/api/campaigns`]).flat();
  const ask = (path: string, method: string) => fetch(`${server.url}${path}`, { method }).then(answer => answer.arrayBuffer());
  await ask('/nobody', 'PUT');
  await ask('/nobody', 'GET');
  const before = (await server.internal('GET', '/metrics')).text.split('\n').length;
  for (const method of ['PUT', 'PROPFIND', 'LOCK', 'REPORT', 'GET']) await Promise.all(strange.map(path => ask(path, method)));
  const after = (await server.internal('GET', '/metrics')).text.split('\n').length;
  // 401 of a served path, 404 and 405 for any method, and gauges of the garbage collector.
  expect(after - before).toBeLessThanOrEqual(120);
});

describe('GET /api/media/config', () => {
  test('returns the addresses and a prefix for each cell that has one [OCS 2.13, 4.16]', async () => {
    const cell = { host: '127.0.0.1', port: 1, password: 'x', isEnabled: false };
    const own = await startTestServer({
      beside: server,
      config: {
        media: { baseUrl: 'https://m', switchRecordingBaseUrl: 'https://r' },
        cells: [
          { ...cell, id: 'a', recordingBaseUrl: 'https://r/a' },
          { ...cell, id: 'b' },
        ],
      },
    });
    try {
      const answer = await own.api('GET', '/api/media/config', undefined, await own.loginAs('agent'));
      expect(answer.data).toEqual({
        baseUrl: 'https://m',
        switchRecordingBaseUrl: 'https://r',
        switchRecordingBaseUrlsByCell: { a: 'https://r/a' },
        emotionAudioBaseUrl: '',
      });
      expect((await own.api('GET', '/api/media/config')).status).toBe(401);
    } finally {
      await own.close();
    }
  });
});
