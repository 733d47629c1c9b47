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
  test('pages rows with who, what and from where, newest first [OCS 4.1, D3.7]', async () => {
    const { data } = await server.api('GET', '/api/audit-logs?q=do_not_call&pageSize=1', undefined, token);
    expect(data).toMatchObject({ page: 1, pageSize: 1, total: 2 });
    expect(data.rows[0]).toMatchObject({
      actorId: expect.any(Number),
      actorName: expect.stringContaining('supervisor'),
      action: 'do_not_call.added',
      targetType: 'do_not_call',
      summary: '加入免打扰名单',
      detail: { phoneNumber: '13900000002' },
      ip: expect.stringContaining('127.0.0.1'),
      requestId: expect.any(String),
    });
  });

  test('is for audit:read [OCS 4.1]', async () => {
    expect((await server.api('GET', '/api/audit-logs', undefined, await server.loginAs('agent'))).status).toBe(403);
    expect((await server.api('GET', '/api/audit-logs')).status).toBe(401);
  });
});
