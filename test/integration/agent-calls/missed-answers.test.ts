import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AgentRig, startAgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PATIENCE_MS = 60_000;
/** More events than any test receives. */
const ALL = 1_000_000;
/** Long enough to lose the connection meanwhile, in ms. */
const RING_MS = 1_500;

let rig: AgentRig;

beforeAll(async () => {
  rig = await startAgentRig({
    world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 }, ringMs: { minMs: RING_MS, maxMs: RING_MS } }),
  });
  await rig.campaign();
}, 60_000);
afterAll(() => rig.close());

const callOf = async (id: number) => {
  const { data } = await rig.api('GET', '/api/softphone-calls?pageSize=200');
  return (data.rows as { id: number; status: string; answeredAt: string | null }[]).find(row => row.id === id);
};
const channelOf = (uuid: string) => rig.simulator.record().channels.find(channel => channel.uuid === uuid);
const place = async (agent: TestAgent, phoneNumber: string): Promise<{ softphoneCallId: number; requestId: string }> => {
  const answer = await rig.api('POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber }, agent.token);
  expect(answer.status).toBe(200);
  return answer.data;
};
const openLegs = () => rig.simulator.record().channels.filter(({ endedAt }) => endedAt === null);
const untilJoined = (requestId: string) => waitUntil('the two to be joined', () => rig.simulator.isBridged(requestId), PATIENCE_MS);

async function hasTrueAnswer({ softphoneCallId, requestId }: { softphoneCallId: number; requestId: string }): Promise<void> {
  await waitUntil('the answer to be recorded', async () => (await callOf(softphoneCallId))?.status === 'answered', PATIENCE_MS);
  const told = Date.parse((await callOf(softphoneCallId))?.answeredAt ?? '');
  expect(Math.abs(told - (channelOf(requestId)?.answeredAt ?? 0))).toBeLessThan(100);
}

test('without any event of a call, agent and customer are found and connected, with their true times [I9]', async () => {
  const agent = await rig.agent({ phone: { ringMs: RING_MS } });
  rig.simulator.faults.loseEvents(ALL);
  const call = await place(agent, '13911120001');
  await untilJoined(call.requestId);
  rig.simulator.faults.loseEvents(0);
  await hasTrueAnswer(call);
  expect(await rig.statusOf(agent.id)).toBe('busy');
  rig.simulator.hangUp(call.requestId);
  await rig.untilStatusOf(agent.id, 'idle');
}, 120_000);

test.each([
  ['the agent', '13911120002', 1],
  ['the customer', '13911120003', 2],
])(
  'the connection is lost while %s rings, and returns after the answer: the call continues [I9]',
  async (_who, phoneNumber, legs) => {
    const agent = await rig.agent({ phone: { ringMs: RING_MS } });
    const call = await place(agent, phoneNumber);
    await waitUntil('the leg to ring', () => openLegs().length === legs, PATIENCE_MS);
    rig.simulator.faults.dropConnections();
    rig.simulator.faults.freeze(RING_MS + 2_000);
    await waitUntil(
      'somebody to have answered unheard',
      () => openLegs().filter(leg => leg.answeredAt !== null).length === legs,
      PATIENCE_MS,
    );
    await untilJoined(call.requestId);
    await hasTrueAnswer(call);
    rig.simulator.hangUp(call.requestId);
    await rig.untilStatusOf(agent.id, 'idle');
  },
  120_000,
);
