import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AgentRig, startAgentRig } from '#test/support/agent-rig.ts';

/** OCS section 3, table "Agent status": one group per row, named after it. */
let rig: AgentRig;
let supervisor: string;
beforeAll(async () => {
  rig = await startAgentRig();
  supervisor = await rig.server.loginAs('supervisor');
});
afterAll(() => rig.close());

const STATUSES = ['idle', 'busy', 'offline'] as const;
const set = (id: number, status: string, token?: string) => rig.api('PATCH', `/api/agents/${id}/status`, { status }, token);
const statusOf = async (id: number) =>
  (await rig.api('GET', '/api/agents')).data.agents.find((agent: { id: number }) => agent.id === id).status as string;

describe('any | PATCH status with idle, busy or offline | own agent, or supervisor/admin for any agent | requested value', () => {
  const moves = STATUSES.flatMap(from => STATUSES.map(to => [from, to] as const));

  test.each(moves)('%s → %s, by the agent', async (from, to) => {
    const agent = await rig.agent({ status: from });
    const answer = await rig.api('PATCH', '/api/agents/me/status', { status: to }, agent.token);
    expect([answer.status, answer.data.agent.status, await statusOf(agent.id)]).toEqual([200, to, to]);
  });

  test.each(STATUSES)('any → %s, by a supervisor and by an administrator', async to => {
    const agent = await rig.agent({ status: to === 'offline' ? 'idle' : 'offline' });
    expect((await set(agent.id, to, supervisor)).data.agent.status).toBe(to);
    expect((await set(agent.id, to)).data.agent.status).toBe(to);
  });

  test('online is treated as idle', async () => {
    const agent = await rig.agent({ status: 'offline' });
    expect((await set(agent.id, 'online', agent.token)).data.agent.status).toBe('idle');
  });

  test("another agent's: 403, unchanged", async () => {
    const [one, other] = [await rig.agent({ status: 'idle' }), await rig.agent({ status: 'idle' })];
    expect([(await set(other.id, 'offline', one.token)).status, await statusOf(other.id)]).toEqual([403, 'idle']);
  });
});

describe('any | PATCH status to idle or busy | phone registration is not registered | unchanged, rejected [D12.1: 409]', () => {
  test.each(['idle', 'busy', 'online'])('offline → %s', async to => {
    const agent = await rig.agent({ phone: { isRegistered: false } });
    const answer = await set(agent.id, to);
    expect([answer.status, answer.data, await statusOf(agent.id)]).toEqual([409, null, 'offline']);
  });

  test('offline stays possible', async () => {
    const agent = await rig.agent({ phone: { isRegistered: false } });
    expect((await set(agent.id, 'offline')).data.agent.status).toBe('offline');
  });
});
