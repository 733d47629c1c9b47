import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.loginAs('admin');
});
afterAll(() => server.close());

const PASSWORD = 'a-long-password';
let sequence = 0;
const body = (overrides: object = {}) => {
  sequence += 1;
  return { username: `user-${sequence}`, displayName: `用户 ${sequence}`, role: 'agent', password: PASSWORD, ...overrides };
};
const create = async (overrides: object = {}) => (await server.api('POST', '/api/users', body(overrides), admin)).data.user;
const patch = (id: number, changes: object, token = admin) => server.api('PATCH', `/api/users/${id}`, changes, token);
const remove = (id: number, token = admin) => server.api('DELETE', `/api/users/${id}`, undefined, token);
const login = (username: string, password = PASSWORD) => server.api('POST', '/api/auth/login', { username, password });
const tokenOf = async (username: string) => (await login(username)).data.token as string;
const isAlive = async (token: string) => (await server.api('GET', '/api/roles/permissions', undefined, token)).status === 200;
const audited = (id: number) =>
  server.running.context.database.rows(sql<{ action: string; detail: unknown }>`
    select action, detail from audit_log where target_type = 'user' and target_id = ${String(id)} and action <> 'user.logged_in' order by id`);

describe('POST /api/users', () => {
  test('stores a user who can log in; the response contains no password [OCS 4.17, D2.6]', async () => {
    const answer = await server.api('POST', '/api/users', body({ username: 'lisi', displayName: '李四', role: 'supervisor' }), admin);
    expect([answer.status, answer.data.user]).toEqual([
      200,
      {
        id: expect.any(Number),
        username: 'lisi',
        displayName: '李四',
        role: 'supervisor',
        isEnabled: 1,
        createdAt: expect.stringMatching(/\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/\.\d{3}Z$/),
      },
    ]);
    expect((await login('LiSi')).data.user).toMatchObject({ id: answer.data.user.id, role: 'supervisor' });
    expect(await audited(answer.data.user.id)).toEqual([{ action: 'user.created', detail: { role: 'supervisor', isEnabled: true } }]);
  });

  test('an existing name gives 409, ignoring letter case, and stores nothing [OCS 7]', async () => {
    await create({ username: 'taken' });
    const answer = await server.api('POST', '/api/users', body({ username: 'Taken' }), admin);
    expect([answer.status, answer.msg]).toEqual([409, '用户名 Taken 已存在']);
    expect((await server.api('GET', '/api/users?q=taken', undefined, admin)).data.total).toBe(1);
  });

  test('full-width and half-width forms of a name are the same [D3.3]', async () => {
    expect((await create({ username: 'Ｗｉｄｅ' })).username).toBe('Wide');
    expect((await server.api('POST', '/api/users', body({ username: 'wide' }), admin)).status).toBe(409);
    expect((await login('ｗｉｄｅ')).status).toBe(200);
  });

  test('the name of a deleted user can be used again [OCS 4.17]', async () => {
    const first = await create({ username: 'again' });
    await remove(first.id);
    expect((await create({ username: 'again' })).id).not.toBe(first.id);
  });

  test.each([
    ['no name', { username: '  ' }, 'username 不能为空'],
    ['no role', { role: undefined }, 'role 不能为空'],
    ['a role that does not exist', { role: 'root' }, 'role'],
    ['a short password', { password: '1234567' }, 'password'],
    ['one of the commonest passwords', { password: 'QwertyUiop' }, 'password 过于常见'],
    ['the name as the password', { username: 'li.xiaolong', password: 'Li.Xiaolong' }, 'password 不能与用户名相同'],
    ['a name that nobody sees whole', { username: 'ad\u200bmin' }, 'username 不能包含'],
    ["a name that looks like another's", { username: 'аdmin' }, 'username 不能混用'],
    ['a name that grows too long', { username: '\ufdfa'.repeat(50) }, 'username 最多'],
    ['a flag that is no flag', { isEnabled: true }, 'isEnabled 必须是 0 或 1'],
  ])('refuses %s, naming the field [D2.1, D3.3]', async (_, overrides, text) => {
    const answer = await server.api('POST', '/api/users', body(overrides), admin);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
  });
});

describe('GET /api/users', () => {
  test('pages newest first; q searches user name and display name [OCS 4.17, D2.4]', async () => {
    const a = await create({ username: 'zhang-san', displayName: '独特之人' });
    const b = await create({ username: 'dutezhiren', displayName: '另一独特' });
    const list = async (query: string) => (await server.api('GET', `/api/users${query}`, undefined, admin)).data;
    expect(await list(`?q=${encodeURIComponent('独特')}&pageSize=1`)).toEqual({ rows: [b], page: 1, pageSize: 1, total: 2 });
    expect((await list('?q=ZHANG')).rows).toEqual([a]);
    expect((await list('?pageSize=500')).pageSize).toBe(200);
  });

  test('a deleted user is not listed [OCS 4.17]', async () => {
    const { id, username } = await create();
    await remove(id);
    expect((await server.api('GET', `/api/users?q=${username}`, undefined, admin)).data.total).toBe(0);
  });
});

describe('PATCH /api/users/:id', () => {
  test('changes given members only [OCS 4.17]', async () => {
    const user = await create();
    expect((await patch(user.id, { displayName: '新名' })).data.user).toEqual({
      ...user,
      displayName: '新名',
      updatedAt: expect.any(String),
    });
    expect((await audited(user.id)).at(-1)).toMatchObject({
      action: 'user.updated',
      detail: { before: { displayName: user.displayName }, after: { displayName: '新名' } },
    });
  });

  test.each([
    ['another role', { role: 'supervisor' }],
    ['disabling', { isEnabled: 0 }],
    ['a new password', { password: 'another-password' }],
  ])('%s ends all sessions of the user, and no others [D3.2]', async (_, changes) => {
    const [user, other] = [await create(), await create()];
    const [first, second, bystander] = [await tokenOf(user.username), await tokenOf(user.username), await tokenOf(other.username)];
    expect((await patch(user.id, changes)).status).toBe(200);
    expect(await Promise.all([first, second, bystander].map(isAlive))).toEqual([false, false, true]);
  });

  test('a new name, or an unchanged role and state, ends no session [D3.2]', async () => {
    const user = await create();
    const token = await tokenOf(user.username);
    await patch(user.id, { displayName: '改名', role: 'agent', isEnabled: 1 });
    expect(await isAlive(token)).toBe(true);
  });

  test('a disabled user cannot log in, an enabled one can again [D3.2]', async () => {
    const user = await create();
    await patch(user.id, { isEnabled: 0 });
    expect((await login(user.username)).status).toBe(401);
    await patch(user.id, { isEnabled: 1 });
    expect((await login(user.username)).status).toBe(200);
  });

  test('after a reset only the new password is accepted [D3.2, D3.3]', async () => {
    const user = await create();
    await patch(user.id, { password: 'brand-new-password' });
    expect((await login(user.username)).status).toBe(401);
    expect((await login(user.username, 'brand-new-password')).status).toBe(200);
    expect(JSON.stringify(await audited(user.id))).not.toContain('brand-new');
  });

  test('refuses a short password and an unknown user [D3.3, OCS 7]', async () => {
    const user = await create();
    expect((await patch(user.id, { password: 'short' })).status).toBe(400);
    expect((await patch(user.id, { password: user.username.repeat(3) })).status).toBe(400);
    expect((await login(user.username)).status).toBe(200);
    expect((await patch(999_999, { role: 'agent' })).status).toBe(404);
  });
});

describe('DELETE /api/users/:id', () => {
  test('hides the user and ends their sessions [OCS 4.17, D3.2]', async () => {
    const user = await create();
    const token = await tokenOf(user.username);
    expect((await remove(user.id)).data.user.id).toBe(user.id);
    expect(await isAlive(token)).toBe(false);
    expect((await login(user.username)).status).toBe(401);
    expect((await remove(user.id)).status).toBe(404);
    expect((await audited(user.id)).map(({ action }) => action)).toEqual(['user.created', 'user.deleted']);
  });

  test('users cannot delete themselves [OCS 4.17]', async () => {
    const second = await create({ role: 'admin' });
    const answer = await remove(second.id, await tokenOf(second.username));
    expect([answer.status, answer.msg]).toEqual([409, '不能删除自己']);
    expect((await login(second.username)).status).toBe(200);
    await remove(second.id);
  });
});

describe('the last enabled administrator', () => {
  test('cannot be deleted, disabled or given another role [OCS 4.17]', async () => {
    const { id } = (await server.api('GET', '/api/auth/me', undefined, admin)).data.user;
    const disabled = await create({ role: 'admin', isEnabled: 0 });
    for (const changes of [{ isEnabled: 0 }, { role: 'supervisor' }, { role: 'agent', isEnabled: 0 }]) {
      const answer = await patch(id, changes);
      expect([answer.status, answer.msg]).toEqual([409, '不能删除、停用或降级最后一个管理员']);
    }
    // The built-in administrator of a server without authentication is no user: only this rule protects the last one.
    const open = await startTestServer({ beside: server, config: { auth: { enabled: false } } });
    expect((await open.api('DELETE', `/api/users/${id}`)).status).toBe(409);
    await open.close();
    expect(await isAlive(admin)).toBe(true);
    await remove(disabled.id);
  });

  test('two administrators who delete each other at once: one stays [OCS 4.17]', async () => {
    const { id } = (await server.api('GET', '/api/auth/me', undefined, admin)).data.user;
    const [a, b] = [await create({ role: 'admin' }), await create({ role: 'admin' })];
    const [tokenA, tokenB] = [await tokenOf(a.username), await tokenOf(b.username)];
    const answers = await Promise.all([remove(b.id, tokenA), remove(a.id, tokenB), patch(id, { role: 'agent' }, tokenA)]);
    const left = await server.running.context.database.rows(sql`
      select id from app_user where role = 'admin' and is_enabled and deleted_at is null`);
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect(answers.map(({ status }) => status).every(status => [200, 401, 409].includes(status))).toBe(true);
    await server.running.context.database.run(sql`update app_user set role = 'admin' where id = ${id}`);
    admin = (await server.api('POST', '/api/auth/login', { username: 'admin', password: 'test-admin-password' })).data.token;
  });
});

test('every route requires admin [OCS 4.17]', async () => {
  for (const role of ['supervisor', 'agent'] as const) {
    const token = await server.loginAs(role);
    const statuses = await Promise.all([
      server.api('GET', '/api/users', undefined, token),
      server.api('POST', '/api/users', body(), token),
      patch(1, { role: 'agent' }, token),
      remove(1, token),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
});
