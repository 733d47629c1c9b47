import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
  for (const phoneNumber of ['13900000001', '13900000002']) await server.api('POST', '/api/dnc', { phoneNumber }, token);
});
afterAll(() => server.close());

describe('GET /api/audit-logs', () => {
  test('pages rows with actor, action and address, newest first [OCS 4.1, D3.7]', async () => {
    const { data } = await server.api('GET', '/api/audit-logs?q=do_not_call&pageSize=1', undefined, token);
    expect(data).toMatchObject({ page: 1, pageSize: 1, total: 2 });
    expect(data.rows[0]).toMatchObject({
      actorId: expect.any(Number),
      actorName: expect.stringContaining('supervisor'),
      action: 'do_not_call.added',
      targetType: 'do_not_call',
      summary: '加入勿扰名单',
      detail: { phoneNumber: '13900000002' },
      ip: expect.stringContaining('127.0.0.1'),
      requestId: expect.any(String),
    });
  });

  test('requires audit:read [OCS 4.1]', async () => {
    expect((await server.api('GET', '/api/audit-logs', undefined, await server.loginAs('agent'))).status).toBe(403);
    expect((await server.api('GET', '/api/audit-logs')).status).toBe(401);
  });
});

describe('filters', () => {
  const pagesOf = async (filter: Record<string, string>) => {
    const rest = await server.api('GET', `/api/audit-logs?${new URLSearchParams(filter).toString()}`, undefined, token);
    const { actorId, actorName, action, targetType, targetId, from, to } = filter;
    const query = `query ($filter: AuditLogFilter) { auditLogs(first: 50, filter: $filter) { totalCount nodes { id: databaseId } } }`;
    const variables = { filter: { actorId, actorName, action, targetType, targetId, from, to } };
    const answer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data } = (await answer.json()) as { data: { auditLogs: { totalCount: number; nodes: { id: string }[] } } };
    return { rest: rest.data, graph: data.auditLogs };
  };
  let added: { id: number; actorId: number; actorName: string; targetId: string; createdAt: string }[];
  beforeAll(async () => {
    added = (await server.api('GET', '/api/audit-logs?action=do_not_call.added', undefined, token)).data.rows;
  });

  test.each<[string, () => Record<string, string>, number]>([
    ['the actor', () => ({ actorId: String(added[0]?.actorId), action: 'do_not_call.added' }), 2],
    ["the actor's name", () => ({ actorName: added[0]?.actorName ?? '', targetType: 'do_not_call' }), 2],
    ['the action', () => ({ action: 'do_not_call.added' }), 2],
    ['the target', () => ({ targetType: 'do_not_call', targetId: added[0]?.targetId ?? '' }), 1],
    ['its beginning, which counts', () => ({ action: 'do_not_call.added', from: added[0]?.createdAt ?? '' }), 1],
    ['its end, which does not count', () => ({ action: 'do_not_call.added', to: added[0]?.createdAt ?? '' }), 1],
    ['another actor', () => ({ actorId: '999999' }), 0],
    ['what was before all', () => ({ to: '2000-01-01T00:00:00Z' }), 0],
    ['what is after all', () => ({ from: '2999-01-01T00:00:00Z' }), 0],
  ])('by %s give the same in REST and in GraphQL [D3.7]', async (_name, filter, count) => {
    const { rest, graph } = await pagesOf(filter());
    expect([rest.total, graph.totalCount]).toEqual([count, count]);
    expect(graph.nodes.map(({ id }) => Number(id))).toEqual(rest.rows.map(({ id }: { id: number }) => id));
  });

  test('that are blank are ignored [D2.2]', async () => {
    const blank = 'actorId=&actorName=&action=&targetType=&targetId=&from=&to=';
    const [all, none] = await Promise.all(['', blank].map(filter => server.api('GET', `/api/audit-logs?${filter}`, undefined, token)));
    expect(none?.data.total).toBe(all?.data.total);
  });

  test.each([
    ['action', 'action=line.update'],
    ['actorId', 'actorId=x'],
    ['from', 'from=yesterday'],
    ['targetId', `targetId=${'x'.repeat(101)}`],
  ])('that are invalid give 400 naming %s [D2.1]', async (name, query) => {
    const answer = await server.api('GET', `/api/audit-logs?${query}`, undefined, token);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(name)]);
  });
});
