import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type AgentRig, phone, startAgentRig } from '#test/support/agent-rig.ts';
import { CELL } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: AgentRig;
let supervisor: string;

beforeAll(async () => {
  rig = await startAgentRig();
  supervisor = await rig.server.loginAs('supervisor');
});
afterAll(() => rig.close());

const create = (body: object) => rig.api('POST', '/api/agents', body);
const audited = (type: string, id: number) =>
  rig.server.running.context.database
    .rows(sql<{ action: string }>`select action from audit_log where target_type = ${type} and target_id = ${String(id)} order by id`)
    .then(rows => rows.map(row => row.action));

describe('agents', () => {
  test('an agent is returned with only the extension, offline, and never with sipUsername [OCS 2.13, D12.1]', async () => {
    const answer = await create({ name: '王芳', phoneExtension: '6001', sipPassword: 'secret-of-6001' });
    expect(answer.data.agent).toEqual({
      id: expect.any(Number),
      name: '王芳',
      phoneExtension: '6001',
      groupId: null,
      userId: null,
      cellId: null,
      isEnabled: 1,
      status: 'offline',
      registrationStatus: 'unregistered',
      currentCall: null,
      activity: { state: 'offline', chosen: 'offline', since: null, reason: null, wrapUp: null },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(answer.text).not.toContain('secret-of-6001');
    expect(await audited('agent', answer.data.agent.id)).toEqual(['agent.created']);
  });

  test('a lone sipUsername becomes the extension; a different one beside it gives 400 [OCS 4.13 "Compatibility"]', async () => {
    const { data } = await create({ name: '旧客户端', sipUsername: '6002' });
    expect(data.agent.phoneExtension).toBe('6002');
    const both = await create({ name: '两个名字', phoneExtension: '6003', sipUsername: '6003' });
    expect(both.data.agent.phoneExtension).toBe('6003');
    const refused = await create({ name: '冲突', phoneExtension: '6004', sipUsername: '6005' });
    expect(refused).toMatchObject({ status: 400, data: null });
    expect(refused.msg).toContain('sipUsername');
    const patched = await rig.api('PATCH', `/api/agents/${data.agent.id}`, { phoneExtension: '6006', sipUsername: '6007' });
    expect(patched.status).toBe(400);
    const moved = await rig.api('PATCH', `/api/agents/${data.agent.id}`, { sipUsername: '6008' });
    expect(moved.data.agent.phoneExtension).toBe('6008');
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ phoneExtension: '10 01' }, 'phoneExtension'],
    [{ phoneExtension: 'a\nb' }, 'phoneExtension'],
    [{ groupId: 999_999 }, 'groupId'],
    [{ userId: 999_999 }, 'userId'],
    [{ cellId: 'nowhere' }, 'cellId'],
    [{ isEnabled: true }, 'isEnabled'],
  ])('refuses %j naming the field [D2.1]', async (fields, field) => {
    const answer = await create({ name: '错误', ...fields });
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.msg).toContain(field);
  });

  test('one agent per user and one per extension: a second gives 409 [D12.1]', async () => {
    const userId = await rig.server.createUser({ username: 'one-desk', password: 'agent-password', role: 'agent' });
    expect((await create({ name: '甲', userId, phoneExtension: '6010' })).status).toBe(200);
    expect((await create({ name: '乙', userId })).status).toBe(409);
    expect((await create({ name: '丙', phoneExtension: '6010' })).status).toBe(409);
  });

  test('the list has agents with their groups; a deleted agent is not in it [OCS 4.13]', async () => {
    const group = (await rig.api('POST', '/api/agent-groups', { name: '名单组' })).data.group;
    const { agent } = (await create({ name: '名单坐席', groupId: group.id })).data;
    const listed = (await rig.api('GET', '/api/agents')).data;
    expect(listed.groups).toContainEqual(group);
    expect(listed.agents).toContainEqual(agent);
    expect(agent.registrationStatus).toBe('unconfigured');
    expect((await rig.api('DELETE', `/api/agents/${agent.id}`)).status).toBe(200);
    expect((await rig.api('DELETE', `/api/agents/${agent.id}`)).status).toBe(404);
    expect((await rig.api('PATCH', `/api/agents/${agent.id}`, { name: 'x' })).status).toBe(404);
    expect(await audited('agent', agent.id)).toEqual(['agent.created', 'agent.deleted']);
  });

  test('a disabled agent is offline and cannot choose a status [D12.1]', async () => {
    const agent = await rig.agent();
    const { data } = await rig.api('PATCH', `/api/agents/${agent.id}`, { isEnabled: 0 });
    expect(data.agent).toMatchObject({ isEnabled: 0, status: 'offline' });
    expect((await rig.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'idle' })).status).toBe(409);
    expect((await rig.api('GET', '/api/agents/me/status', undefined, agent.token)).data).toEqual({ agent: null });
  });

  test('a busy agent cannot be deleted [OCS 4.13]', async () => {
    const agent = await rig.agent({ status: 'busy' });
    expect((await rig.api('DELETE', `/api/agents/${agent.id}`)).status).toBe(409);
    await rig.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'offline' });
    expect((await rig.api('DELETE', `/api/agents/${agent.id}`)).status).toBe(200);
  });
});

describe('the user of an agent', () => {
  const rowOf = async (agentId: number) =>
    (await rig.api('GET', '/api/agents')).data.agents.find((agent: { id: number }) => agent.id === agentId);

  test('is released when the user is deleted: the agent is offline and free for another user [D12.1]', async () => {
    const [agent, other] = [await rig.agent(), await rig.server.createUser({ username: 'heir', password: 'heir-password', role: 'agent' })];
    expect((await rig.api('DELETE', `/api/users/${agent.userId}`)).status).toBe(200);
    expect(await rowOf(agent.id)).toMatchObject({ userId: null, status: 'offline' });
    expect((await rig.api('PATCH', `/api/agents/${agent.id}`, { userId: other })).data.agent.userId).toBe(other);
    expect((await rig.api('PATCH', `/api/agents/${agent.id}`, { userId: agent.userId })).status).toBe(400);
  });

  test('stays when the user is disabled, and no call is transferred to the agent [D12.1, D3.2]', async () => {
    const agent = await rig.agent();
    expect((await rig.api('PATCH', `/api/users/${agent.userId}`, { isEnabled: 0 })).status).toBe(200);
    expect(await rowOf(agent.id)).toMatchObject({ userId: agent.userId, status: 'offline' });
    expect((await rig.api('GET', '/api/agents/me/status', undefined, agent.token)).status).toBe(401);
  });

  test('keeps its agent when the deletion fails [OCS 4.17]', async () => {
    const admin = (await rig.api('GET', '/api/auth/me')).data.user.id;
    const { agent } = (await create({ name: '管理员坐席', userId: admin })).data;
    expect((await rig.api('DELETE', `/api/users/${admin}`)).status).toBe(409);
    expect(await rowOf(agent.id)).toMatchObject({ userId: admin });
    expect((await rig.api('DELETE', `/api/agents/${agent.id}`)).status).toBe(200);
  });
});

describe('groups', () => {
  test('a group is created, renamed and, once empty, deleted; with agents 409 names them [OCS 4.13, D12.1]', async () => {
    const { group } = (await rig.api('POST', '/api/agent-groups', { name: '售后', description: '二线' })).data;
    expect(group).toMatchObject({ name: '售后', description: '二线' });
    expect((await rig.api('POST', '/api/agent-groups', { name: '售后' })).status).toBe(409);
    const renamed = await rig.api('PATCH', `/api/agent-groups/${group.id}`, { name: '售后二组' });
    expect(renamed.data.group).toMatchObject({ name: '售后二组', description: '二线' });
    const { agent } = (await create({ name: '组员', groupId: group.id })).data;
    const refused = await rig.api('DELETE', `/api/agent-groups/${group.id}`);
    expect(refused.status).toBe(409);
    expect(refused.msg).toContain('组员');
    await rig.api('PATCH', `/api/agents/${agent.id}`, { groupId: null });
    expect((await rig.api('DELETE', `/api/agent-groups/${group.id}`)).status).toBe(200);
    expect((await rig.api('PATCH', `/api/agent-groups/${group.id}`, { name: 'x' })).status).toBe(404);
    expect(await audited('agent_group', group.id)).toEqual(['agent_group.created', 'agent_group.updated', 'agent_group.deleted']);
  });

  test('agents may not manage the roster [OCS 2.3 rule 1]', async () => {
    const { token } = await rig.agent();
    expect((await rig.api('POST', '/api/agents', { name: 'x' }, token)).status).toBe(403);
    expect((await rig.api('POST', '/api/agent-groups', { name: 'x' }, token)).status).toBe(403);
  });
});

describe('status', () => {
  test('an agent sets their own status; online is stored as idle [OCS 2.13, 4.13]', async () => {
    const agent = await rig.agent({ status: 'offline' });
    const idle = await rig.api('PATCH', '/api/agents/me/status', { status: 'online' }, agent.token);
    expect(idle.data.agent).toMatchObject({ id: agent.id, status: 'idle', registrationStatus: 'registered', currentCall: null });
    const busy = await rig.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'busy' }, agent.token);
    expect(busy.data.agent.status).toBe('busy');
    expect((await rig.api('GET', '/api/agents/me/status', undefined, agent.token)).data.agent.status).toBe('busy');
    expect(await audited('agent', agent.id)).toEqual(['agent.created', 'agent.status_changed', 'agent.status_changed']);
  });

  test('an agent changes only their own status, supervisors and administrators any [OCS 4.13]', async () => {
    const [one, other] = [await rig.agent(), await rig.agent()];
    expect((await rig.api('PATCH', `/api/agents/${other.id}/status`, { status: 'busy' }, one.token)).status).toBe(403);
    expect((await rig.api('PATCH', '/api/agents/999999/status', { status: 'busy' }, one.token)).status).toBe(403);
    expect((await rig.api('PATCH', `/api/agents/${other.id}/status`, { status: 'busy' }, supervisor)).data.agent.status).toBe('busy');
    expect((await rig.api('PATCH', '/api/agents/999999/status', { status: 'busy' }, supervisor)).status).toBe(404);
  });

  test('idle and busy need a registered phone, offline does not [D12.1]', async () => {
    const agent = await rig.agent({ phone: { isRegistered: false } });
    for (const status of ['idle', 'busy', 'online']) {
      expect((await rig.api('PATCH', `/api/agents/${agent.id}/status`, { status })).status).toBe(409);
    }
    expect((await rig.api('PATCH', `/api/agents/${agent.id}/status`, { status: 'offline' })).data.agent.status).toBe('offline');
    const unconfigured = (await create({ name: '无分机' })).data.agent;
    expect((await rig.api('PATCH', `/api/agents/${unconfigured.id}/status`, { status: 'idle' })).status).toBe(409);
  });

  test.each([{}, { status: 'away' }, { status: null }])('refuses %j [D2.1]', async body => {
    const agent = await rig.agent({ status: 'offline' });
    const answer = await rig.api('PATCH', '/api/agents/me/status', body, agent.token);
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.msg).toContain('status');
  });

  test('without a bound agent the own status is null and cannot be set [OCS 4.13]', async () => {
    expect((await rig.api('GET', '/api/agents/me/status')).data).toEqual({ agent: null });
    expect((await rig.api('PATCH', '/api/agents/me/status', { status: 'busy' })).status).toBe(404);
  });
});

describe('phones', () => {
  const rowOf = async (path: string, extension: string) =>
    ((await rig.api('GET', path)).data.rows as { phoneExtension: string; registrationStatus: string }[]).find(
      row => row.phoneExtension === extension,
    );

  test("a registration follows the switch's events [OCS 2.13, test/fixtures/esl/README.md §4]", async () => {
    const agent = await rig.agent({ phone: { isRegistered: false } });
    const statusIs = (wanted: string) => async () =>
      (await rowOf('/api/agents/phone-statuses', agent.extension))?.registrationStatus === wanted;
    await waitUntil('the phone to be unregistered', statusIs('unregistered'), 30_000);
    rig.simulator.phones.register(agent.extension);
    await waitUntil('the phone to be registered', statusIs('registered'), 30_000);
    rig.simulator.phones.unregister(agent.extension);
    await waitUntil('the phone to be unregistered again', statusIs('unregistered'), 30_000);
  });

  test('extensions of the switch are listed with their agents and the reachability of the switch [OCS 2.13]', async () => {
    const agent = await rig.agent();
    rig.simulator.phones.put('6900', phone('6900'));
    await waitUntil('the free extension to be listed', async () => (await rowOf('/api/agents/extensions', '6900')) !== undefined, 30_000);
    const common = { cellId: CELL, switchReachable: true, registrationStatus: 'registered' };
    expect(await rowOf('/api/agents/extensions', '6900')).toEqual({ phoneExtension: '6900', agentId: null, ...common });
    expect(await rowOf('/api/agents/extensions', agent.extension)).toEqual({
      phoneExtension: agent.extension,
      agentId: agent.id,
      ...common,
    });
  });
});

describe('SIP settings', () => {
  test('the password is encrypted at rest and shown only to its own agent [D12.2]', async () => {
    const agent = await rig.agent({ sipPassword: 'p@ss-of-the-phone' });
    const own = await rig.api('GET', '/api/agents/me/sip-config', undefined, agent.token);
    expect(own.data).toEqual({
      agentId: agent.id,
      phoneExtension: agent.extension,
      displayName: expect.any(String),
      sipUri: `sip:${agent.extension}@127.0.0.1`,
      authUsername: agent.extension,
      password: 'p@ss-of-the-phone',
      wsServers: [],
      realm: '127.0.0.1',
      iceServers: [],
    });
    const stored = await rig.server.running.context.database.first(sql<{ sealed: string }>`
      select sealed_password as sealed from agent where id = ${agent.id}`);
    expect(stored?.sealed).toMatch(/^v2\./);
    expect(stored?.sealed).not.toContain('p@ss');
    const all = await rig.api('GET', '/api/agents/sip-configs', undefined, supervisor);
    expect((all.data.rows as { agentId: number }[]).map(row => row.agentId)).toContain(agent.id);
    expect(all.text).not.toContain('password');
    expect(all.text).not.toContain('p@ss');
    const visible = await rig.api('GET', '/api/agents/sip-configs', undefined, agent.token);
    expect((visible.data.rows as { agentId: number }[]).map(row => row.agentId)).toEqual([agent.id]);
  });

  test('without a bound agent there are none [OCS 4.14]', async () => {
    expect((await rig.api('GET', '/api/agents/me/sip-config')).status).toBe(404);
  });
});
