import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ask } from '../../contract/graphql/graphql-client.ts';

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig();
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(() => rig.close());

const list = (agent: TestAgent, { requestId }: Pick<LiveCustomer, 'requestId'>, body: object = { reason: '客户要求' }) =>
  rig.server.api('POST', `/api/calls/request:${requestId}/do-not-call`, body, agent.token);

async function talking(agent: TestAgent): Promise<LiveCustomer> {
  const customer = await rig.customer();
  const { conferenceId } = await waitUntil('the agent to be reached', async () => (await rig.route(customer, { agentId: agent.id })).data);
  await rig.untilLive(Number(conferenceId));
  await waitUntil('the agent to talk', async () => (await rig.stageOf(agent.id)) === 'talking');
  return customer;
}

describe('the number of a call on the do-not-call list [D8.12]', () => {
  test('is put there by the agent who talks in it, and after it; nothing else may be put there', async () => {
    const agent = await rig.agent();
    const customer = await talking(agent);
    const { status, data } = await list(agent, customer);
    expect([status, data.entry]).toMatchObject([200, { reason: '客户要求', expiresAt: null, createdBy: agent.userId, source: 'manual' }]);
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
    expect((await list(agent, customer, {})).data.entry).toMatchObject({ id: data.entry.id, reason: '客户要求' });
    const other = await rig.server.api('POST', '/api/dnc', { phoneNumber: '13900000001' }, agent.token);
    expect(other.status).toBe(403);
  });

  test('is refused to an agent who has no part in the call, and of a call that does not exist', async () => {
    const agent = await rig.agent();
    const customer = await talking(agent);
    const stranger = await rig.agent();
    expect(await list(stranger, customer)).toMatchObject({ status: 403, msg: '只能将自己通话或监听的通话的号码加入勿扰名单' });
    expect((await list(agent, { requestId: '00000000-0000-4000-8000-000000000001' })).status).toBe(404);
    expect((await rig.server.api('GET', '/api/dnc?q=客户', undefined, rig.token)).data.rows).not.toContainEqual(
      expect.objectContaining({ createdBy: stranger.userId }),
    );
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
  });
});

test('agents read the list as the contract says, and masked where it says nothing; a number is found as a whole only [OCS 4.10, D8.12]', async () => {
  const agent = await rig.agent();
  await rig.server.api('POST', '/api/dnc', { phoneNumber: '139 1234 5678', reason: '投诉专线' }, rig.token);
  const { rows } = (await rig.server.api('GET', '/api/dnc?q=1234', undefined, agent.token)).data;
  expect(rows).toMatchObject([{ phoneNumber: '139 1234 5678' }]);
  const LIST = 'query($search: String) { doNotCallEntries(first: 5, search: $search) { nodes { id phoneNumber reason } } }';
  const found = async (search: string, token = agent.token) => (await ask(rig.server, token, LIST, { search })).data.doNotCallEntries.nodes;
  expect(await found('1234')).toEqual([]);
  expect(await found('1234', rig.token)).toMatchObject([{ phoneNumber: '139 1234 5678' }]);
  for (const search of ['投诉专线', '+86 13912345678'])
    expect(await found(search)).toMatchObject([{ phoneNumber: '***5678', reason: '投诉专线' }]);
  const [{ id }] = await found('投诉专线');
  const NODE = 'query($id: ID!) { node(id: $id) { ... on DoNotCallEntry { phoneNumber } } }';
  expect((await ask(rig.server, agent.token, NODE, { id })).data.node).toEqual({ phoneNumber: '***5678' });
  expect((await ask(rig.server, rig.token, NODE, { id })).data.node).toEqual({ phoneNumber: '139 1234 5678' });
});
