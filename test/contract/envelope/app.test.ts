import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Express } from 'express';
import { z } from 'zod';
import { clientAddressBehind, type HttpServer, listen } from '#platform/http/server.ts';
import { bigIdParam, idParam, pageSearchQuery, route } from '#platform/http/route.ts';
import { type HttpAppOptions, createApp } from '#platform/http/app.ts';
import { handler, rawHandler, type RouteHandler, STATUS_OF } from '#platform/http/handler.ts';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError, ERROR_CODES, type ErrorCode } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { type LogFields, silentLog } from '#kernel/log.ts';
import { builtInAdmin } from '#kernel/caller.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

// The application with routes made for these tests, which respond like any route of the product.

const any = z.unknown();
const failing = (code: ErrorCode) => () => Promise.reject(new CalloutError(code, '出错了', { retryAfterSeconds: 7 }));
const routes: RouteHandler[] = [
  handler(route('GET /api/things', 'session', '', { query: pageSearchQuery, data: any }), ({ query }) => Promise.resolve(query)),
  handler(
    route('POST /api/things', 'line:write', '', {
      body: z.object({ name: z.string().min(1), items: z.array(z.object({ key: z.string() })).optional() }),
      bodyLimit: 1_024,
      data: any,
    }),
    ({ body }) => Promise.resolve(body),
  ),
  handler(route('GET /api/things/:id', 'public', '', { params: idParam, data: any }), ({ params }) => Promise.resolve(params)),
  handler(route('GET /api/things/special', 'public', '', { data: any }), () => Promise.resolve('special')),
  handler(route('GET /api/big/:id', 'public', '', { params: bigIdParam, data: any }), ({ params }) => Promise.resolve(params)),
  handler(route('GET /api/bug', 'public', '', { data: any }), () => Promise.reject(new Error('secret text'))),
  handler(route('POST /api/internal', 'internal', '', { data: any }), ({ caller }) => Promise.resolve(caller.role)),
  rawHandler(route('GET /api/stream', 'session', '', { stream: true, data: any }), ({ response }) => {
    response.end('streamed');
    return Promise.resolve(null);
  }),
  ...(Object.keys(ERROR_CODES) as ErrorCode[]).map(code =>
    handler(route(`GET /api/fail/${code}`, 'public', '', { data: any }), failing(code)),
  ),
];

const logged: LogFields[] = [];
let deps: HttpAppOptions;
let app: Express;
let http: HttpServer;
let url: string;

beforeAll(async () => {
  const log = {
    ...silentLog,
    error: (fields: LogFields) => void logged.push(fields),
    info: (fields: LogFields) => void logged.push(fields),
  };
  deps = {
    handlers: routes,
    answerOnce: (_asked: unknown, work: () => Promise<unknown>) => work(),
    gate: {
      callerOf: async (token, origin) => {
        if (token === 'admin') return builtInAdmin(origin);
        return token === 'agent' ? { ...builtInAdmin(origin), permissions: new Set(['agent:operate'] as const) } : null;
      },
      isInternalToken: token => token === 'internal',
    },
    draining: new AbortController().signal,
    sessionWatch: { watch: () => () => undefined },
    corsOrigins: ['https://console.example.com'],
    clientAddress: clientAddressBehind([]),
    hstsMaxAgeSeconds: 0,
    clock: systemClock,
    ids: systemIds,
    log,
    metrics: noMetrics,
  };
  app = createApp(deps);
  http = await listen(app, { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${http.port}`;
});
afterAll(() => http.close(1_000));

async function ask(method: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(`${url}${path}`, { method, ...init });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null };
}

const admin = { Authorization: 'Bearer admin' };
const json = { ...admin, 'Content-Type': 'application/json' };

describe('success', () => {
  test('is 200 with code 0000, the data and msg ok [D2.1, D2.3]', async () => {
    const answer = await ask('POST', '/api/things', { headers: json, body: '{"name":"x"}' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: '0000', data: { name: 'x' }, msg: 'ok' });
  });

  test('is never cached and has its trace id', async () => {
    const { headers } = await ask('GET', '/api/things/1');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('takes over a well-formed X-Request-Id and replaces any other [D2.1]', async () => {
    expect((await ask('GET', '/api/things/1', { headers: { 'X-Request-Id': 'gateway-1234' } })).headers.get('x-request-id')).toBe(
      'gateway-1234',
    );
    expect((await ask('GET', '/api/things/1', { headers: { 'X-Request-Id': 'a b' } })).headers.get('x-request-id')).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });
});

describe('failure', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s has its status and envelope [OCS 7, D2.1]', async code => {
    const status = STATUS_OF[code];
    const answer = await ask('GET', `/api/fail/${code}`);
    const traceId = answer.headers.get('x-request-id') ?? '';
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      code: String(status),
      data: null,
      msg: status >= 500 ? `出错了（追踪号 ${traceId}）` : '出错了',
      msgKey: code,
    });
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  test('a forbidding policy is also in the member error [D7.5]', async () => {
    const { body } = await ask('GET', '/api/fail/POLICY_FORBIDS');
    expect(body).toEqual({ code: '409', data: null, msg: '出错了', msgKey: 'POLICY_FORBIDS', error: '出错了' });
    expect((await ask('GET', '/api/fail/CONFLICT')).body).not.toHaveProperty('error');
  });

  test('a bug returns only its trace id; the log has the id and the error [D2.1]', async () => {
    const { status, body, headers } = await ask('GET', '/api/bug');
    const traceId = headers.get('x-request-id') ?? '';
    expect(status).toBe(500);
    expect(body).toEqual({ code: '500', data: null, msg: `服务器内部错误（追踪号 ${traceId}）`, msgKey: 'INTERNAL' });
    expect(logged).toContainEqual(
      expect.objectContaining({ traceId, route: '/api/bug', err: expect.objectContaining({ message: 'secret text' }) }),
    );
  });
});

describe('paths and methods [D2.2]', () => {
  test('an unknown path is 404, enveloped', async () => {
    expect((await ask('GET', '/api/nothing')).body).toEqual({ code: '404', data: null, msg: '接口不存在', msgKey: 'NOT_FOUND' });
    expect((await ask('GET', '/')).status).toBe(404);
  });

  test('a known path with another method is 405 with Allow', async () => {
    const answer = await ask('DELETE', '/api/things');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
    expect(answer.body).toEqual({ code: '405', data: null, msg: '不支持的请求方法', msgKey: 'METHOD_NOT_ALLOWED' });
  });

  test('a literal path takes precedence over a parameter, whatever the order', async () => {
    expect((await ask('GET', '/api/things/special')).body.data).toBe('special');
  });

  test('an id that no row can have is 404, a malformed one 400 [D2.6]', async () => {
    expect((await ask('GET', '/api/things/2147483648')).status).toBe(404);
    expect((await ask('GET', '/api/big/2147483648')).body.data).toEqual({ id: 2147483648 });
    expect((await ask('GET', '/api/big/99999999999999999999')).status).toBe(404);
    expect((await ask('GET', '/api/things/1%00')).status).toBe(400);
    expect((await ask('GET', '/api/things/%zz')).body.msg).toBe('参数错误：路径 编码不正确');
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const answer = await ask('HEAD', '/api/things/1');
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('bodies [D2.2]', () => {
  const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = json) =>
    ask('POST', '/api/things', { headers, body });

  test('malformed JSON is 400', async () => {
    expect((await post('{"name":')).body.msg).toBe('参数错误：请求体 不是合法的 JSON');
    expect((await post(new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=gbk'])('%s is 415', async type => {
    expect((await post('{"name":"x"}', { ...admin, 'Content-Type': type })).status).toBe(415);
  });

  test.each(['application/json; charset=utf-8', 'application/vnd.api+json'])('%s is accepted', async type => {
    expect((await post('{"name":"x"}', { ...admin, 'Content-Type': type })).status).toBe(200);
  });

  test('a compressed body is 415', async () => {
    expect((await post('x', { ...json, 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  test('a body over the limit is 413, sent even while the client is still sending', async () => {
    const answer = await post(JSON.stringify({ name: 'x'.repeat(3_000_000) }));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ code: '413', data: null, msg: '请求体不能超过 1 KiB', msgKey: 'PAYLOAD_TOO_LARGE' });
  });

  test.each([
    ['announced', `Content-Length: ${48 * 1024 * 1024}`],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('the refusal of a body, %s, reaches a client that reads only after it has sent everything', async (_how, length) => {
    const socket = connect(http.port, '127.0.0.1').pause();
    const heads = ['POST /api/things HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Authorization: Bearer admin', length];
    socket.write(`${heads.join('\r\n')}\r\n\r\n`);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let sent = 0; sent < 48; sent++) {
      if (length.startsWith('Transfer')) socket.write('100000\r\n');
      if (!socket.write(piece)) await once(socket, 'drain');
      if (length.startsWith('Transfer')) socket.write('\r\n');
    }
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('a missing body is an empty object: the missing field is named', async () => {
    expect((await ask('POST', '/api/things', { headers: admin })).body.msg).toBe('参数错误：name 不能为空');
  });

  test('unknown fields are ignored', async () => {
    expect((await post('{"name":"x","other":1}')).body.data).toEqual({ name: 'x' });
  });

  test('text that no store can hold is 400 naming the field', async () => {
    expect((await post(String.raw`{"name":"x","items":[{"key":"a\u0000"}]}`)).body.msg).toBe('参数错误：items[0].key 含有不合法的字符');
    expect((await post(String.raw`{"name":"\ud800"}`)).body.msg).toBe('参数错误：name 含有不合法的字符');
  });

  test('unbounded nesting is 400', async () => {
    expect((await post(`{"name":${'['.repeat(200)}${']'.repeat(200)}}`)).status).toBe(400);
  });
});

describe('permission', () => {
  test('no session and a wrong one are 401 [OCS 7]', async () => {
    const answer = await ask('GET', '/api/things');
    expect(answer.body).toEqual({ code: '401', data: null, msg: '未登录或登录已失效', msgKey: 'UNAUTHENTICATED' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await ask('GET', '/api/things', { headers: { Authorization: 'Bearer other' } })).status).toBe(401);
  });

  test('a missing permission is 403 naming it, before the body is validated [OCS 7]', async () => {
    const answer = await ask('POST', '/api/things', { headers: { ...json, Authorization: 'Bearer agent' }, body: '{' });
    expect(answer.body).toEqual({ code: '403', data: null, msg: '没有权限：需要 line:write', msgKey: 'FORBIDDEN' });
  });

  test('a session token is no substitute for the internal one [D3.6]', async () => {
    expect((await ask('POST', '/api/internal', { headers: admin })).status).toBe(401);
    expect((await ask('POST', '/api/internal', { headers: { 'X-Callout-Internal-Token': 'wrong' } })).status).toBe(401);
    expect((await ask('POST', '/api/internal', { headers: { 'X-Callout-Internal-Token': 'internal' } })).body.data).toBe('internal');
  });

  test('?access_token= is accepted only for event streams, and never logged [D3.5]', async () => {
    expect((await ask('GET', '/api/stream?access_token=admin')).text).toBe('streamed');
    expect((await ask('GET', '/api/things?access_token=admin')).status).toBe(401);
    expect(JSON.stringify(logged)).not.toContain('access_token');
  });
});

describe('CORS [D2.8]', () => {
  const origin = 'https://console.example.com';

  test('a preflight is 204 without envelope', async () => {
    const answer = await ask('OPTIONS', '/api/things', { headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  test('another origin is refused', async () => {
    const answer = await ask('OPTIONS', '/api/things', { headers: { Origin: 'https://evil.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('an allowed page may read the response', async () => {
    const answer = await ask('GET', '/api/things/1', { headers: { Origin: origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toContain('Origin');
  });
});

describe('paging [D2.4]', () => {
  test('a page size over 200 is clamped, a page below 1 refused', async () => {
    expect((await ask('GET', '/api/things?pageSize=1000', { headers: admin })).body.data).toEqual({ page: 1, pageSize: 200, q: '' });
    expect((await ask('GET', '/api/things?page=0', { headers: admin })).body.msg).toBe('参数错误：page 不能小于 1');
    expect((await ask('GET', '/api/things?q=%00', { headers: admin })).body.msg).toBe('参数错误：q 含有不合法的字符');
  });
});

/** All bytes received until the connection ends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', chunk => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('bytes that never become a request are refused in the envelope, and the connection ends [D2.1]', () => {
  test('not HTTP at all', async () => {
    const answer = await raw(http.port, 'NONSENSE\r\n\r\n');
    expect(answer).toContain('400 Bad Request');
    expect(answer).toContain('{"code":"400","data":null,"msg":"不是合法的 HTTP 请求","msgKey":"INVALID_ARGUMENT"}');
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
    expect((await ask('GET', '/api/things/1')).status).toBe(200);
  });

  test('an upgrade on an unknown path is a 404 like any other [D2.2]', async () => {
    const head = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const answer = await raw(http.port, head);
    expect(answer).toContain('404 Not Found');
    expect(answer).toContain('{"code":"404","data":null,"msg":"接口不存在","msgKey":"NOT_FOUND"}');
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
  });

  test('a head that is too long', async () => {
    const answer = await raw(http.port, `GET /api/things/1?q=${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toContain('431 Request Header Fields Too Large');
    expect(answer).toContain('"msg":"请求头过长"');
  });

  test.each([
    ['head', 'GET /api/things/1 HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'body',
      'POST /api/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name":',
    ],
  ])('a %s that does not arrive in time', async (_, text) => {
    const impatient = await listen(app, { host: '127.0.0.1', port: 0, headersTimeoutMs: 300, requestTimeoutMs: 300 });
    const answer = await raw(impatient.port, text);
    expect(answer).toContain('408 Request Timeout');
    expect(answer).toContain('{"code":"408","data":null,"msg":"请求发送超时","msgKey":"REQUEST_TIMEOUT"}');
    await impatient.close(1_000);
  });
});

test('HSTS is sent only over TLS', async () => {
  const behindTls = await listen(createApp({ ...deps, hstsMaxAgeSeconds: 600 }), { host: '127.0.0.1', port: 0 });
  const { headers } = await fetch(`http://127.0.0.1:${behindTls.port}/api/things/1`);
  expect(headers.get('strict-transport-security')).toBe('max-age=600; includeSubDomains');
  await behindTls.close(1_000);
});

test('connections beyond the limit are closed and counted; open ones continue', async () => {
  let dropped = 0;
  const small = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 2, dropped: () => dropped++ });
  const open = async () => {
    const socket = connect(small.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const [first, second, third] = [await open(), await open(), await open()];
  await once(third, 'close');
  expect(dropped).toBe(1);
  first.destroy();
  second.end('GET /api/things/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(String(await second.toArray())).toContain('HTTP/1.1 ');
  await small.close(1_000);
});

test('responses forbid framing, sniffing and foreign content', async () => {
  const { headers } = await ask('GET', '/api/things/1');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.has('strict-transport-security')).toBe(false);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});
