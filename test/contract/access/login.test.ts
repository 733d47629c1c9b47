import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('POST /api/auth/login', () => {
  test('answers token, expiry, user and permissions [OCS 2.4]', async () => {
    const answer = await server.api('POST', '/api/auth/login', ADMIN);
    expect(answer.status).toBe(200);
    expect(answer.data.user).toEqual({ id: expect.any(Number), username: 'admin', displayName: '管理员', role: 'admin' });
    expect(answer.data.permissions).toHaveLength(11);
    expect(Date.parse(answer.data.expiresAt) - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
  });
});
