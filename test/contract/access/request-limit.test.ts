import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { server: { requestsPerMinute: 3 } } });
});
afterAll(() => server.close());

test('one session is limited with 429 and Retry-After; another session and the internal token are not', async () => {
  const token = await server.loginAs('agent');
  const answers = [];
  // A minute may end in between: then at most six of ten pass.
  for (let count = 0; count < 10; count++) answers.push(await server.api('GET', '/api/roles/permissions', undefined, token));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(4);
  expect(refused[0]).toMatchObject({ code: '429', data: null, msg: '请求过于频繁，请稍后重试' });
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await server.api('GET', '/api/roles/permissions', undefined, await server.loginAs('supervisor'))).status).toBe(200);
  for (let count = 0; count < 10; count++) expect((await server.internal('POST', '/api/call-results', {})).status).toBe(400);
});
