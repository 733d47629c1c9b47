import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';

describe('GET /api/businesses', () => {
  let server: TestServer;

  beforeAll(async () => {
    const businesses = [
      { businessCode: 'b', businessName: '乙', remark: '备注' },
      { businessCode: 'a', businessName: '甲', runtimeBringsFlow: true },
      { businessCode: 'off', businessName: '停用', isEnabled: false },
    ];
    server = await startTestServer({ config: { businesses } });
  });
  afterAll(() => server.close());

  test('lists the enabled businesses of the configuration to any session [OCS 4.3, 2.11, D1.3]', async () => {
    const answer = await server.api('GET', '/api/businesses', undefined, await server.loginAs('agent'));
    expect(answer).toMatchObject({ status: 200, code: '0000', msg: 'ok' });
    expect(answer.data.rows).toEqual([
      expect.objectContaining({ businessCode: 'a', businessName: '甲', isEnabled: 1, remark: '', runtimeBringsFlow: 1 }),
      expect.objectContaining({ businessCode: 'b', businessName: '乙', isEnabled: 1, remark: '备注', runtimeBringsFlow: 0 }),
    ]);
    expect(answer.data.rows[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('requires a session [OCS 4.3]', async () => {
    expect(await server.api('GET', '/api/businesses')).toMatchObject({ status: 401, code: '401', data: null });
  });

  test('another method gives 405 with Allow [D2.2]', async () => {
    const answer = await server.api('DELETE', '/api/businesses', undefined, await server.loginAs('admin'));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('GET');
  });

  test('a start updates rows from the configuration and keeps those that are no longer in it [D1.3]', async () => {
    const second = await startTestServer({ beside: server, config: { businesses: [{ businessCode: 'a', businessName: '甲改' }] } });
    const { data } = await second.api('GET', '/api/businesses', undefined, await second.loginAs('admin'));
    await second.close();
    expect(data.rows.map((row: { businessName: string }) => row.businessName)).toEqual(['甲改', '乙']);
    // A configuration without a flow setting leaves it unchanged.
    expect(data.rows[0].runtimeBringsFlow).toBe(1);
  });
});
