import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { PERMISSION_KEYS, permissionsOf } from '#kernel/caller.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const login = (username: string, password: string) => server.api('POST', '/api/auth/login', { username, password });
const HOUR_MS = 3_600_000;

describe('POST /api/auth/login', () => {
  test('returns token, expiry, user and permissions [OCS 2.4]', async () => {
    const before = Date.now();
    const answer = await login(ADMIN.username, ADMIN.password);
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(String),
      user: { id: expect.any(Number), username: 'admin', displayName: '管理员', role: 'admin' },
      permissions: PERMISSION_KEYS,
    });
    const lifetimeMs = Date.parse(answer.data.expiresAt) - before;
    expect(lifetimeMs).toBeGreaterThanOrEqual(12 * HOUR_MS);
    expect(lifetimeMs).toBeLessThan(12 * HOUR_MS + 60_000);
  });

  test('ignores letter case in the user name, but not in the password', async () => {
    expect((await login('ADMIN', ADMIN.password)).status).toBe(200);
    expect((await login('admin', ADMIN.password.toUpperCase())).status).toBe(401);
  });

  test('returns the same 401 for a wrong user, a wrong password and a disabled user [D3.3]', async () => {
    const id = await server.createUser({ username: 'disabled', password: 'right-password', role: 'agent' });
    await server.running.context.database.run(sql`update app_user set is_enabled = false where id = ${id}`);
    const answers = [await login('nobody', 'x'), await login('disabled', 'wrong'), await login('disabled', 'right-password')];
    for (const { status, code, data, msg } of answers) {
      expect({ status, code, data, msg }).toEqual({ status: 401, code: '401', data: null, msg: '用户名或密码错误' });
    }
  });

  test.each([
    [{ username: 'admin' }, 'password 不能为空'],
    [{ password: 'x' }, 'username 不能为空'],
    [{ username: '  ', password: 'x' }, 'username 不能为空'],
    [{ username: 1, password: 'x' }, 'username 必须是字符串'],
    [[], '请求体 必须是对象'],
  ])('refuses %j', async (body, problem) => {
    const answer = await server.api('POST', '/api/auth/login', body);
    expect([answer.status, answer.msg]).toEqual([400, `参数错误：${problem}`]);
  });

  test('stores no token: only its hash is in the cache [D3.2]', async () => {
    const { token } = (await login(ADMIN.username, ADMIN.password)).data;
    const { redis } = server.running.context;
    const keys = await redis.run(client => client.keys('session*'));
    const values = await Promise.all(
      keys.map(key => redis.run(client => client.type(key).then(type => (type === 'string' ? client.get(key) : '')))),
    );
    expect(keys.some(key => key.startsWith('session:'))).toBe(true);
    expect(JSON.stringify([keys, values])).not.toContain(token);
  });

  test('stores passwords as argon2id [D3.3]', async () => {
    const row = await server.running.context.database.first(
      sql<{ hash: string }>`select password_hash as hash from app_user where username = 'admin'`,
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('GET /api/auth/me', () => {
  test('is never 401: without a session it reports that [D3.4]', async () => {
    const nobody = { authEnabled: true, authenticated: false, user: null, permissions: [] };
    expect((await server.api('GET', '/api/auth/me')).data).toEqual(nobody);
    expect((await server.api('GET', '/api/auth/me', undefined, 'unknown-token')).data).toEqual(nobody);
  });

  test.each(['admin', 'supervisor', 'agent'] as const)('returns the permissions of a %s [D3.1]', async role => {
    const answer = await server.api('GET', '/api/auth/me', undefined, await server.loginAs(role));
    expect(answer.data).toMatchObject({ authEnabled: true, authenticated: true, user: { role }, permissions: permissionsOf(role) });
  });
});

describe('POST /api/auth/logout', () => {
  test('ends this session and returns its user [OCS 4.2]', async () => {
    const first = (await login(ADMIN.username, ADMIN.password)).data.token;
    const second = (await login(ADMIN.username, ADMIN.password)).data.token;
    const answer = await server.api('POST', '/api/auth/logout', undefined, first);
    expect(answer.data).toEqual({ id: expect.any(Number), username: 'admin', displayName: '管理员', role: 'admin' });
    expect((await server.api('POST', '/api/auth/logout', undefined, first)).status).toBe(401);
    expect((await server.api('GET', '/api/auth/me', undefined, second)).data.authenticated).toBe(true);
  });

  test('requires a session', async () => {
    expect((await server.api('POST', '/api/auth/logout')).status).toBe(401);
  });
});

describe('GET /api/roles/permissions', () => {
  test('lists permissions and roles in Chinese [OCS 2.4, D3.1]', async () => {
    const { data } = await server.api('GET', '/api/roles/permissions', undefined, await server.loginAs('agent'));
    expect(data.permissions.map((row: { key: string }) => row.key)).toEqual(PERMISSION_KEYS);
    expect(data.roles.map((row: { role: string; permissions: string[] }) => [row.role, row.permissions.length])).toEqual([
      ['admin', 12],
      ['supervisor', 10],
      ['agent', 1],
    ]);
    for (const { label } of [...data.permissions, ...data.roles]) expect(label).toMatch(/\p{Script=Han}/u);
  });
});
