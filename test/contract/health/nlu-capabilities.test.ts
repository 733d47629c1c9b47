import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const TOKEN = 'nlu-secret-token';
const LISTING = {
  actions: {
    decision: { defaultProfile: 'local', profiles: [{ key: 'local', labelZh: '本地', descriptionZh: '内置' }] },
    extract: { defaultProfile: 'local', profiles: [{ key: 'local', labelZh: '本地', descriptionZh: '内置' }] },
  },
};

let nlu: Server;
/** The server's health check asks as soon as it starts, before the first test. */
let answerAs: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => void response.writeHead(503).end();
let server: TestServer;

beforeAll(async () => {
  nlu = createServer((request, response) => answerAs(request, response));
  await new Promise<void>(resolve => nlu.listen(0, '127.0.0.1', () => resolve()));
  const { port } = nlu.address() as AddressInfo;
  server = await startTestServer({ config: { nlu: { url: `http://127.0.0.1:${port}`, token: TOKEN, timeoutMs: 200 } } });
});
afterAll(async () => {
  await server.close();
  nlu.closeAllConnections();
  nlu.close();
});

const ask = async () => server.api('GET', '/api/nlu/capabilities', undefined, await server.loginAs('agent'));

test('forwards the listing, with the token to the service and not to the browser [OCS 4.1]', async () => {
  let seen: IncomingMessage | undefined;
  answerAs = (request, response) => {
    seen = request;
    response.end(JSON.stringify({ ok: true, data: { ...LISTING, secret: 'x' } }));
  };
  const answer = await ask();
  expect(answer.data).toEqual(LISTING);
  expect(seen?.url).toBe('/api/v1/nlu/capabilities');
  expect(seen?.headers['x-callout-internal-token']).toBe(TOKEN);
  expect(answer.text).not.toContain(TOKEN);
});

test('requires a session', async () => {
  expect((await server.api('GET', '/api/nlu/capabilities')).status).toBe(401);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['an error status', response => void response.writeHead(500).end('{}')],
  ['no JSON', response => void response.end('<html>')],
  ['a failure envelope', response => void response.end('{"ok":false,"error":"x"}')],
  ['another shape', response => void response.end('{"ok":true,"data":{"actions":{}}}')],
  ['a closed connection', response => void response.destroy()],
  ['a redirect', response => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
  ['an endless answer', response => void response.end(`"${'x'.repeat(400_000)}"`)],
])('%s is 502 [OCS 4.1]', async (_, reply) => {
  answerAs = (_request, response) => reply(response);
  const answer = await ask();
  expect([answer.status, answer.code, answer.data]).toEqual([502, '502', null]);
  expect(answer.msg).toMatch(/^NLU 服务.*（追踪号 /);
});

test('a late response is 504 [OCS 4.1]', async () => {
  answerAs = () => undefined;
  const answer = await ask();
  expect([answer.status, answer.msg.startsWith('NLU 服务响应超时（追踪号 ')]).toEqual([504, true]);
});
