import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { clientAddressBehind, type HttpServer, listen } from '#platform/http/server.ts';
import { route } from '#platform/http/route.ts';
import { createApp, hotPathBefore } from '#platform/http/app.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { type LogFields, silentLog } from '#kernel/log.ts';
import { builtInAdmin } from '#kernel/caller.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

// Posts of the runtime are handled before Express: the only visible difference may be headers that concern browsers.

const body = z.object({ name: z.string().min(1), outcome: z.enum(['fine', 'conflict', 'away', 'bug']).optional() });
const OUTCOMES = {
  conflict: () => new CalloutError('CONFLICT', '冲突'),
  away: () => new CalloutError('CACHE_UNAVAILABLE', '共享缓存暂不可用，请稍后重试'),
  bug: () => new Error('secret text'),
};
const answerOf = ({ name, outcome = 'fine' }: z.output<typeof body>, role: string) =>
  outcome === 'fine' ? Promise.resolve({ name, role }) : Promise.reject(OUTCOMES[outcome]());
const routes: RouteHandler[] = [
  handler(route('POST /api/hot', 'internal', '', { body, bodyLimit: 1_024, data: z.unknown() }), ({ body, caller }) =>
    answerOf(body, caller.role),
  ),
  handler(route('POST /api/cold', 'line:write', '', { body, data: z.unknown() }), ({ body, caller }) => answerOf(body, caller.role)),
];

const logged: LogFields[] = [];
const counted: { route: string; status: number }[] = [];
const answered: unknown[] = [];
let http: HttpServer;

beforeAll(async () => {
  const keep = (fields: LogFields) => void logged.push(fields);
  const deps = {
    handlers: routes,
    answerOnce: (_asked: unknown, work: () => Promise<unknown>) => work(),
    gate: {
      callerOf: (token: string | null, origin: Parameters<typeof builtInAdmin>[0]) =>
        Promise.resolve(token === 'admin' ? builtInAdmin(origin) : null),
      isInternalToken: (token: string) => token === 'internal',
    },
    draining: new AbortController().signal,
    sessionWatch: { watch: () => () => undefined },
    corsOrigins: ['https://console.example.com'],
    clientAddress: clientAddressBehind(['loopback']),
    hstsMaxAgeSeconds: 0,
    clock: systemClock,
    ids: systemIds,
    log: { ...silentLog, error: keep, warn: keep },
    metrics: { ...noMetrics, requestAnswered: (answer: { route: string; status: number }) => void counted.push(answer) },
    onAnswer: (_route: unknown, data: unknown) => void answered.push(data),
  };
  http = await listen(hotPathBefore(createApp(deps), deps), { host: '127.0.0.1', port: 0 });
});
afterAll(() => http.close(1_000));

async function ask(path: string, init: RequestInit) {
  const answer = await fetch(`http://127.0.0.1:${http.port}${path}`, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const HEADERS = { 'X-Callout-Internal-Token': 'internal', 'Content-Type': 'application/json', 'X-Request-Id': 'trace-0001' };
const post = (text: string, headers: Record<string, string> = HEADERS): RequestInit => ({ method: 'POST', headers, body: text });

/** Express sends a CSP with every response; the hot path does not. */
const wentThroughExpress = (headers: Headers) => headers.has('content-security-policy');

describe('endpoints that bypass Express', () => {
  test.each<[string, RequestInit]>([
    ['a good request', post('{"name":"x"}')],
    ['an unknown field', post('{"name":"x","more":1}')],
    ['a wrong field', post('{"name":""}')],
    ['malformed JSON', post('{')],
    ['text that no store can hold', post('{"name":"\\u0000"}')],
    ['another content type', post('name=x', { ...HEADERS, 'Content-Type': 'text/plain' })],
    ['more than the limit', post(JSON.stringify({ name: 'x'.repeat(2_000) }))],
    ['no body', { method: 'POST', headers: { 'X-Callout-Internal-Token': 'internal', 'X-Request-Id': 'trace-0001' } }],
    ['no token', post('{"name":"x"}', { 'Content-Type': 'application/json', 'X-Request-Id': 'trace-0001' })],
    ['a wrong token', post('{"name":"x"}', { ...HEADERS, 'X-Callout-Internal-Token': 'no' })],
    ['a proxy that names the client', post('{"name":"x"}', { ...HEADERS, 'X-Forwarded-For': '10.0.0.1' })],
    ['a refusal', post('{"name":"x","outcome":"conflict"}')],
    ['a dependency that is away', post('{"name":"x","outcome":"away"}')],
    ['a bug', post('{"name":"x","outcome":"bug"}')],
  ])('%s gets the same response as from Express [D2.1, D2.2, D3.6]', async (_what, init) => {
    const direct = await ask('/api/hot', init);
    const through = await ask('/api/hot?', init);
    expect(wentThroughExpress(direct.headers)).toBe(false);
    expect(wentThroughExpress(through.headers)).toBe(true);
    expect([direct.status, direct.text]).toEqual([through.status, through.text]);
    for (const name of ['content-type', 'x-request-id', 'cache-control', 'x-content-type-options', 'www-authenticate'])
      expect([name, direct.headers.get(name)]).toEqual([name, through.headers.get(name)]);
  });

  test.each<[string, string, RequestInit]>([
    ['a page of another origin', '/api/hot', post('{"name":"x"}', { ...HEADERS, Origin: 'https://console.example.com' })],
    ['another method', '/api/hot', { method: 'DELETE' }],
    ['a route that asks for a session', '/api/cold', post('{"name":"x"}')],
    ['an unknown path', '/api/nothing', post('{}')],
  ])('%s goes through Express', async (_what, path, init) => {
    expect(wentThroughExpress((await ask(path, init)).headers)).toBe(true);
  });

  test('a response is counted by its route and visible to the contract check; a bug is logged with its trace id [D2.1]', async () => {
    await ask('/api/hot', post('{"name":"seen"}'));
    await waitUntil('the count', () => counted.some(({ route, status }) => route === '/api/hot' && status === 200));
    expect(answered).toContainEqual({ name: 'seen', role: 'internal' });
    await ask('/api/hot', post('{"name":"x","outcome":"bug"}', { ...HEADERS, 'X-Request-Id': 'trace-bug-1' }));
    await waitUntil('the log', () => logged.some(fields => fields['traceId'] === 'trace-bug-1' && fields['err'] instanceof Error));
  });
});
