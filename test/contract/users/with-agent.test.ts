import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask } from '../graphql/graphql-client.ts';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await startTestServer({ config: { agents: { secretKey: 'ab'.repeat(32) } } });
  admin = await server.loginAs('admin');
});
afterAll(() => server.close());

const PASSWORD = 'a-long-password';
let sequence = 0;
const userBody = (more: object = {}) => {
  sequence += 1;
  return { username: `both-${sequence}`, displayName: `同事 ${sequence}`, role: 'agent', password: PASSWORD, ...more };
};
const create = (body: object, token = admin) => server.api('POST', '/api/users/with-agent', body, token);
const newAgent = async (body: object) => (await server.api('POST', '/api/agents', { name: '坐席', ...body }, admin)).data.agent;
const usersNamed = async (username: string) => (await server.api('GET', `/api/users?q=${username}`, undefined, admin)).data.total as number;
const actionsOf = async (type: string, id: number) => {
  const rows = await server.running.context.database.rows(
    sql<{ action: string }>`select action from audit_log where target_type = ${type} and target_id = ${String(id)} order by id`,
  );
  return rows.map(({ action }) => action);
};

describe('POST /api/users/with-agent [D12.12]', () => {
  test('makes the user and an agent that is theirs, who signs in and works as the agent', async () => {
    const { group } = (await server.api('POST', '/api/agent-groups', { name: '晚班' }, admin)).data;
    const body = userBody({
      username: 'wang',
      displayName: '王芳',
      agent: { phoneExtension: '3001', groupId: group.id, sipPassword: 'sip-secret' },
    });
    const { status, data } = await create(body);
    expect(status).toBe(200);
    expect(data.user).toMatchObject({ username: 'wang', displayName: '王芳', role: 'agent', isEnabled: 1 });
    expect(data.agent).toMatchObject({ name: '王芳', phoneExtension: '3001', groupId: group.id, userId: data.user.id, status: 'offline' });
    const { token } = (await server.api('POST', '/api/auth/login', { username: 'wang', password: PASSWORD })).data;
    expect((await server.api('GET', '/api/agents/me/status', undefined, token)).data.agent).toMatchObject({ id: data.agent.id });
    expect((await server.api('GET', '/api/agents/me/sip-config', undefined, token)).data).toMatchObject({ password: 'sip-secret' });
    expect(await actionsOf('user', data.user.id)).toEqual(['user.created', 'user.logged_in']);
    expect(await actionsOf('agent', data.agent.id)).toContain('agent.created');
  });

  test('gives an agent without a user to the new one', async () => {
    const agent = await newAgent({ phoneExtension: '3002' });
    const { data } = await create(userBody({ role: 'supervisor', agentId: agent.id }));
    expect(data.agent).toMatchObject({ id: agent.id, phoneExtension: '3002', userId: data.user.id });
    expect(await actionsOf('agent', agent.id)).toEqual(['agent.created', 'agent.updated']);
  });

  test.each([
    [
      'a taken extension',
      async () => ({ agent: { phoneExtension: (await newAgent({ phoneExtension: '3003' })).phoneExtension } }),
      409,
      '分机',
    ],
    ['an unknown group', async () => ({ agent: { groupId: 999_999 } }), 400, 'groupId'],
    ['an unknown cell', async () => ({ agent: { cellId: 'nowhere' } }), 400, 'cellId'],
    ['an unknown agent', async () => ({ agentId: 999_999 }), 404, '坐席'],
    [
      'an agent that has a user',
      async () => ({ agentId: (await create(userBody({ agent: {} }))).data.agent.id }),
      409,
      '该坐席已绑定另一用户',
    ],
    ['an extension that is none', async () => ({ agent: { phoneExtension: '3 0' } }), 400, 'agent.phoneExtension'],
    ['neither an agent nor its id', async () => ({}), 400, 'agent'],
    ['an agent and an id', async () => ({ agent: {}, agentId: 1 }), 400, 'agent'],
  ])('%s makes neither user nor agent', async (_what, bodyOf, status, text) => {
    const body = userBody(await bodyOf());
    const agents = (await server.api('GET', '/api/agents', undefined, admin)).data.agents.length;
    expect(await create(body)).toMatchObject({ status, msg: expect.stringContaining(text) });
    expect(await usersNamed(body.username)).toBe(0);
    expect((await server.api('GET', '/api/agents', undefined, admin)).data.agents).toHaveLength(agents);
  });

  test('a taken user name makes no agent', async () => {
    const { username } = (await create(userBody({ agent: { phoneExtension: '3004' } }))).data.user;
    const again = await create(userBody({ username, agent: { phoneExtension: '3005' } }));
    expect([again.status, again.msg]).toEqual([409, `用户名 ${username} 已存在`]);
    const { agents } = (await server.api('GET', '/api/agents', undefined, admin)).data;
    expect(agents.filter((agent: { phoneExtension: string }) => agent.phoneExtension === '3005')).toEqual([]);
  });

  test('GraphQL does the same, and names a refusal', async () => {
    const CREATE = `mutation($input: CreateUserWithAgentInput!) { createUserWithAgent(input: $input) { __typename
      ... on UserWithAgent { user { username role } agent { name phoneExtension isEnabled user { displayName } } } ... on Refusal { reason field } } }`;
    const input = {
      ...userBody(),
      username: 'graph',
      displayName: '图',
      role: 'AGENT',
      agent: { phoneExtension: '3006', isEnabled: true },
    };
    const run = async (given: object) => (await ask(server, admin, CREATE, { input: given })).data.createUserWithAgent;
    expect(await run(input)).toEqual({
      __typename: 'UserWithAgent',
      user: { username: 'graph', role: 'AGENT' },
      agent: { name: '图', phoneExtension: '3006', isEnabled: true, user: { displayName: '图' } },
    });
    expect(await run({ ...input, username: 'graph2' })).toEqual({
      __typename: 'AgentTaken',
      reason: 'EXTENSION_TAKEN',
      field: 'phoneExtension',
    });
    expect(await run({ ...input, phoneExtension: undefined })).toMatchObject({ __typename: 'UsernameTaken' });
    expect(await usersNamed('graph2')).toBe(0);
  });
});
