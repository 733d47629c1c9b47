import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

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
