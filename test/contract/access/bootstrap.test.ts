import { afterEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0).toReversed()) await server.close();
});

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  servers.push(server);
  return server;
}

describe('the first administrator [D1.3]', () => {
  test('gets a generated password that is printed once and works, when none is configured', async () => {
    const told: string[] = [];
    const server = await start({ config: { auth: { bootstrapAdminPassword: null } }, print: line => told.push(line) });
    const password = /password (\S{20}) /.exec(told.join('\n'))?.[1] ?? '';
    expect(told).toHaveLength(1);
    expect((await server.api('POST', '/api/auth/login', { username: 'admin', password })).status).toBe(200);
    await start({ config: { auth: { bootstrapAdminPassword: null } }, print: line => told.push(line), beside: server });
    expect(told).toHaveLength(1);
  });

  test('has the configured name and password, and nothing is printed', async () => {
    const told: string[] = [];
    const auth = { bootstrapAdminUsername: 'root', bootstrapAdminPassword: 'a-long-password' };
    const server = await start({ config: { auth }, print: line => told.push(line) });
    expect((await server.api('POST', '/api/auth/login', { username: 'root', password: 'a-long-password' })).status).toBe(200);
    expect(told).toEqual([]);
  });

  test('is found when the configured name has full-width characters', async () => {
    const auth = { bootstrapAdminUsername: 'ｒｏｏｔ', bootstrapAdminPassword: 'a-long-password' };
    const server = await start({ config: { auth } });
    expect((await server.api('POST', '/api/auth/login', { username: 'root', password: 'a-long-password' })).status).toBe(200);
  });

  test('is created once when servers start together, and the creation is audited [D3.7]', async () => {
    const server = await start();
    await start({ beside: server, config: { auth: { bootstrapAdminPassword: 'other-password' } } });
    const { database } = server.running.context;
    expect(await database.rows(sql`select username from app_user`)).toEqual([{ username: 'admin' }]);
    expect(await database.rows(sql`select action, actor_name from audit_log where target_type = 'user'`)).toEqual([
      { action: 'user.created', actorName: 'system' },
    ]);
    expect((await server.api('POST', '/api/auth/login', ADMIN)).status).toBe(200);
  });
});
