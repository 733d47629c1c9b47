import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERMISSION_KEYS } from '#kernel/caller.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { auth: { enabled: false }, server: { serviceApi: { authToken: '', open: false } } } });
});
afterAll(() => server.close());

test('me is a built-in admin with all permissions [D3.4]', async () => {
  const { data } = await server.api('GET', '/api/auth/me');
  expect(data).toEqual({
    authEnabled: false,
    authenticated: true,
    user: { id: 0, username: 'admin', displayName: '管理员', role: 'admin' },
    permissions: PERMISSION_KEYS,
  });
});

test('everything is allowed without a session [OCS 5 rule 1]', async () => {
  expect((await server.api('GET', '/api/roles/permissions')).status).toBe(200);
  expect((await server.api('POST', '/api/auth/logout')).data).toMatchObject({ username: 'admin' });
});

test('no administrator is created', async () => {
  expect((await server.api('POST', '/api/auth/login', { username: 'admin', password: 'test-admin-password' })).status).toBe(401);
});

test('internal endpoints accept requests with an empty token [OCS 5 rule 4]', async () => {
  expect((await server.api('POST', '/api/call-results', {})).status).toBe(400);
});
