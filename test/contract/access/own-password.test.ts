import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { askFor } from '../graphql/graphql-client.ts';

const OLD = 'old-long-password';
const NEW = 'new-long-password';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.running.context.redis.run(redis => redis.flushdb()));

let sequence = 0;
async function somebody() {
  sequence += 1;
  const username = `own-${sequence}`;
  const id = await server.createUser({ username, password: OLD, role: 'agent' });
  const login = (password: string) => server.api('POST', '/api/auth/login', { username, password });
  const tokenOf = async () => String((await login(OLD)).data.token);
  return { id, username, login, tokenOf };
}
const change = (token: string | undefined, body: unknown) => server.api('PATCH', '/api/auth/me/password', body, token);
const isAlive = async (token: string) => (await server.api('GET', '/api/auth/me', undefined, token)).data.authenticated;

describe('a user changes their own password [D3.3]', () => {
  test('with the old one; the current session continues, the others end', async () => {
    const { id, username, login, tokenOf } = await somebody();
    const [here, elsewhere] = [await tokenOf(), await tokenOf()];
    const answer = await change(here, { oldPassword: OLD, newPassword: NEW });
    expect([answer.status, answer.data]).toEqual([200, { id, username, displayName: username, role: 'agent' }]);
    expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, false]);
    expect([(await login(OLD)).status, (await login(NEW)).status]).toEqual([401, 200]);
  });

  test('through GraphQL too', async () => {
    const { username, login, tokenOf } = await somebody();
    const query =
      'mutation ($old: String!, $new: String!) { changeOwnPassword(oldPassword: $old, newPassword: $new) { ... on Me { user { username } } ... on Refusal { code field } } }';
    const wrong = await askFor(server, await tokenOf(), query, { old: 'not-mine-at-all', new: NEW });
    expect(wrong).toEqual({ changeOwnPassword: { code: 'INVALID_ARGUMENT', field: 'oldPassword' } });
    const answer = await askFor(server, await tokenOf(), query, { old: OLD, new: NEW });
    expect(answer).toMatchObject({ changeOwnPassword: { user: { username } } });
    expect((await login(NEW)).status).toBe(200);
  });

  test.each([
    ['a wrong old one', { oldPassword: 'wrong-password', newPassword: NEW }, 'oldPassword 不正确'],
    ['no old one', { newPassword: NEW }, 'oldPassword'],
    ['the old one again', { oldPassword: OLD, newPassword: OLD }, 'newPassword'],
    ['a short new one', { oldPassword: OLD, newPassword: 'short' }, 'newPassword'],
    ['one of the commonest', { oldPassword: OLD, newPassword: 'Password1' }, 'newPassword 过于常见'],
    ['blanks', { oldPassword: OLD, newPassword: ' '.repeat(12) }, 'newPassword'],
  ])('%s is refused by name, and nothing changes', async (_what, body, words) => {
    const { login, tokenOf } = await somebody();
    const token = await tokenOf();
    const answer = await change(token, body);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(words)]);
    expect([await isAlive(token), (await login(OLD)).status]).toEqual([true, 200]);
  });

  test('a session cannot be used to guess passwords: wrong old ones count as failed logins', async () => {
    const { login, tokenOf } = await somebody();
    const token = await tokenOf();
    for (let index = 0; index < 5; index++)
      expect((await change(token, { oldPassword: `wrong-${index}`, newPassword: NEW })).status).toBe(400);
    expect((await change(token, { oldPassword: OLD, newPassword: NEW })).status).toBe(429);
    expect((await login(OLD)).status).toBe(429);
  });

  test('not without a session, and not when authentication is off', async () => {
    expect((await change(undefined, { oldPassword: OLD, newPassword: NEW })).status).toBe(401);
    const open = await startTestServer({ beside: server, config: { auth: { enabled: false } } });
    try {
      const answer = await open.api('PATCH', '/api/auth/me/password', { oldPassword: ADMIN.password, newPassword: NEW });
      expect(answer.status).toBe(409);
    } finally {
      await open.close();
    }
  });
});
