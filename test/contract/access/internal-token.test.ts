import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';

// D1.4: without a configured internal token, and with an address that others can reach, the server generates one.

const told: string[] = [];
const reachable = (serviceApi: object) => ({ server: { host: '0.0.0.0', serviceApi: { authToken: null, open: false, ...serviceApi } } });
let server: TestServer;
let second: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: reachable({}), print: line => told.push(line) });
  second = await startTestServer({ beside: server, config: reachable({}), print: line => told.push(line) });
});
afterAll(async () => {
  await second.close();
  await server.close();
});

const report = (to: TestServer, token?: string) =>
  to.internal('POST', '/api/call-results', {}, { 'X-Callout-Internal-Token': token ?? '' }).then(({ status }) => status);

test('one token for all instances is made and shown once; only its hash is kept [D1.4]', async () => {
  const shown = told.filter(line => line.includes('internal token'));
  expect(shown).toHaveLength(1);
  const token = /CALLOUT_INTERNAL_TOKEN=(\S+)/.exec(shown[0] ?? '')?.[1] ?? '';
  expect(token.length).toBeGreaterThan(40);
  for (const instance of [server, second]) {
    expect([await report(instance), await report(instance, 'guessed')]).toEqual([401, 401]);
    // 400: the token was accepted, and the empty body was not.
    expect(await report(instance, token)).toBe(400);
  }
});

test.each([
  ['written as empty', { authToken: '' }],
  ['opened by the setting', { open: true }],
])('%s, every request passes as documented [OCS 5 rule 4]', async (_how, serviceApi) => {
  const open = await startTestServer({ beside: server, config: reachable(serviceApi) });
  expect(await report(open)).toBe(400);
  await open.close();
});
