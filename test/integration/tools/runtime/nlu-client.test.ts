import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readDecisionBody, readExtractBody } from '#nlu/http/read-body.ts';
import { systemClock } from '#kernel/clock.ts';
import { nluClient } from '#tools/runtime/nlu/nlu-client.ts';

const live = new AbortController().signal;
const DECISION = { profile: null, text: '不用了', branches: [{ key: 'no', desc: '拒绝' }] };

describe('the NLU client [NLU §4, §5]', () => {
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function serve(answer: (body: unknown, request: IncomingMessage, response: ServerResponse) => void, timeoutMs = 5_000) {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => answer(JSON.parse(text), request, response));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return nluClient({ url: `http://127.0.0.1:${port}/`, token: 'secret', timeoutMs }, systemClock);
  }

  const respond = (response: ServerResponse, status: number, body: unknown) => {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  };

  test('sends requests as documented and reads the envelope', async () => {
    const seen: unknown[] = [];
    const client = await serve((body, request, response) => {
      seen.push([request.method, request.url, request.headers['x-callout-internal-token'], body]);
      const { action } = body as { action: string };
      const data =
        action === 'decision' ? { key: 'no', confidence: 0.9, reason: '拒绝' } : { fields: { at: null }, confidence: 0, reason: '无' };
      respond(response, 200, { ok: true, data });
    });
    expect((await client.decide(DECISION, live)).key).toBe('no');
    const extract = { profile: 'local', text: '明天', fields: [{ key: 'at', label: '时间', type: 'datetime' }] };
    expect((await client.extract(extract, live)).fields).toEqual({ at: null });
    expect(seen).toEqual([
      ['POST', '/api/v1/nlu', 'secret', { action: 'decision', ...DECISION }],
      ['POST', '/api/v1/nlu', 'secret', { action: 'extract', ...extract }],
    ]);
    expect([readDecisionBody(DECISION), readExtractBody(extract)]).toEqual([DECISION, extract]);
  });

  test.each([
    [502, { ok: false, error: '模型不可用' }],
    [200, { ok: false, error: '无' }],
    [200, { ok: true, data: { key: 5 } }],
    [200, 'text'],
  ])('a response %d %j is a failure', async (status, body) => {
    const client = await serve((_body, _request, response) => respond(response, status, body));
    await expect(client.decide(DECISION, live)).rejects.toThrow();
  });

  test('a redirect is not followed: it could send the token to another host', async () => {
    let asked = 0;
    const client = await serve((_body, _request, response) => {
      asked += 1;
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    await expect(client.decide(DECISION, live)).rejects.toThrow();
    expect(asked).toBe(1);
  });

  test('silence ends at the timeout, and with the call', async () => {
    const client = await serve(() => undefined, 50);
    await expect(client.decide(DECISION, live)).rejects.toThrow('no answer within 50 ms');
    await expect(client.decide(DECISION, AbortSignal.abort())).rejects.toThrow();
  });
});
