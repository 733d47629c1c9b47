import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import type { GraphFault } from './graphql-client.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('admin');
});
afterAll(() => server.close());

interface Answer {
  data: unknown;
  errors?: GraphFault[];
  extensions?: { cost: number };
}

async function send(body: unknown, { as = token, at = server }: { as?: string | null; at?: TestServer } = {}) {
  const headers = { 'Content-Type': 'application/json', ...(as === null ? {} : { Authorization: `Bearer ${as}` }) };
  const answer = await fetch(`${at.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, answers: (await answer.json()) as Answer[] & { errors?: GraphFault[] } };
}

const ME = { query: '{ me { authenticated } }' };

describe('several operations in one request', () => {
  test('are answered in their order, and a failure leaves the others alone', async () => {
    const { status, answers } = await send([ME, { query: '{ nothing }' }, { query: '{ businesses { __typename } }' }]);
    expect(status).toBe(200);
    expect(answers.map(({ data }) => data ?? null)).toEqual([{ me: { authenticated: true } }, null, { businesses: expect.any(Array) }]);
    expect(answers[1]?.errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
  });

  test('are ten at most, and require a session', async () => {
    expect(await send(Array.from({ length: 10 }, () => ME))).toMatchObject({ status: 200 });
    const many = await send(Array.from({ length: 11 }, () => ME));
    expect([many.status, many.answers.errors?.[0]?.message]).toEqual([400, '一次最多 10 个操作：收到 11 个']);
    expect((await send([ME], { as: null })).answers.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect((await send([])).status).toBe(400);
  });

  test('share the cost limit of one', async () => {
    const dear = { query: '{ campaigns(first: 200) { nodes { name contacts(first: 22) { nodes { id } } } } }' };
    const [one] = (await send([dear])).answers;
    expect(one?.extensions?.cost).toBeGreaterThan(4_000);
    const { answers } = await send([dear, dear, dear]);
    const refused = answers.filter(({ errors }) => errors?.[0]?.extensions.code === 'COST_LIMIT');
    expect(refused).toHaveLength(2);
  });

  test('count as one request of their user each', async () => {
    const strict = await startTestServer({ beside: server, config: { server: { requestsPerMinute: 12 } } });
    const batch = Array.from({ length: 8 }, () => ME);
    expect((await send(batch, { at: strict })).status).toBe(200);
    expect((await send(batch, { at: strict })).answers.errors?.[0]?.extensions.code).toBe('RATE_LIMITED');
    await strict.close();
  });
});
