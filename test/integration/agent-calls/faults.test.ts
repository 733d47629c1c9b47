import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { agentLegUuid, customerLegUuid } from '#platform/freeswitch/channel-uuid.ts';
import { type AgentRig, startAgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PATIENCE_MS = 90_000;

let rig: AgentRig;

beforeAll(async () => {
  rig = await startAgentRig({ world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }) });
});
afterAll(() => rig.close());

const statusOfCall = async (softphoneCallId: number): Promise<string> => {
  const { data } = await rig.api('GET', '/api/softphone-calls?pageSize=200');
  return (data.rows as { id: number; status: string }[]).find(row => row.id === softphoneCallId)?.status ?? 'absent';
};

async function talking(agent: TestAgent, phoneNumber: string): Promise<{ softphoneCallId: number; requestId: string }> {
  // A switch that has just come back may not know the phone yet.
  const placed = await waitUntil(
    'the call to be placed',
    async () => {
      const answer = await rig.api('POST', `/api/agents/${agent.id}/manual-calls`, { phoneNumber }, agent.token);
      return answer.status === 200 && answer.data;
    },
    PATIENCE_MS,
  );
  await waitUntil('the two to be joined', () => rig.simulator.isBridged(placed.requestId), PATIENCE_MS);
  return placed;
}

const untilAllIsFree = async (agent: TestAgent, softphoneCallId: number, status: string) => {
  await waitUntil(`the call to be ${status}`, async () => (await statusOfCall(softphoneCallId)) === status, PATIENCE_MS);
  await waitUntil('the agent to be idle', async () => (await rig.statusOf(agent.id)) === 'idle', PATIENCE_MS);
  await waitUntil('the slot to be free', async () => (await rig.slotsInUse()) === 0, PATIENCE_MS);
};

test('a switch that dies mid-call leaves no open call, no held slot and no busy agent [A6 step 11]', async () => {
  await rig.campaign();
  const agent = await rig.agent();
  const { softphoneCallId } = await talking(agent, '13911110001');
  rig.simulator.faults.kill(300);
  await untilAllIsFree(agent, softphoneCallId, 'completed');
}, 200_000);

test('a lost connection ends no call; events of that time are recovered [A6 step 11]', async () => {
  const agent = await rig.agent();
  const { softphoneCallId, requestId } = await talking(agent, '13911110002');
  rig.simulator.faults.dropConnections();
  rig.simulator.hangUp(requestId);
  await untilAllIsFree(agent, softphoneCallId, 'completed');
}, 200_000);

test('lost end events are recovered by querying the switch [D12.7]', async () => {
  const agent = await rig.agent();
  const { softphoneCallId, requestId } = await talking(agent, '13911110003');
  rig.simulator.faults.loseEvents(4);
  rig.simulator.hangUp(requestId);
  await untilAllIsFree(agent, softphoneCallId, 'completed');
}, 200_000);

test('a record whose instance died before the first ring fails, and its contact can be called again [A6 step 3]', async () => {
  const { id: campaignId } = await rig.campaign();
  const agent = await rig.agent();
  await rig.api('POST', `/api/campaigns/${campaignId}/contacts`, { contacts: [{ phoneNumber: '13911110004' }] });
  const { database } = rig.server.running.context;
  const contact = await database.first(sql<{ id: number }>`select id from contact where campaign_id = ${campaignId}`);
  const contactId = contact?.id ?? 0;
  const requestId = customerLegUuid(randomUUID());
  const call = await database.first(sql<{ id: number }>`
    insert into softphone_call (request_id, direction, status, agent_id, campaign_id, contact_id, phone_number, dial_key, cell_id, created_at)
    values (${requestId}, 'manual_call', 'created', ${agent.id}, ${campaignId}, ${contactId}, '13911110004', '13911110004', 'cell-1',
      now() - interval '60 seconds')
    returning id`);
  const fence = agentLegUuid(agent.id, randomUUID());
  await database.run(sql`
    insert into leg (softphone_call_id, role, leg_uuid, agent_id, cell_id, status)
    values (${call?.id ?? 0}, 'agent', ${fence}, ${agent.id}, 'cell-1', 'reserved')`);
  await waitUntil('the record to be given up', async () => (await statusOfCall(call?.id ?? 0)) === 'failed', PATIENCE_MS);
  const { softphoneCallId, requestId: next } = await waitUntil(
    'the contact to be called',
    async () => {
      const answer = await rig.api('POST', `/api/agents/${agent.id}/callbacks`, { contactId }, agent.token);
      return answer.status === 200 && answer.data;
    },
    PATIENCE_MS,
  );
  await waitUntil('the two to be joined', () => rig.simulator.isBridged(next), PATIENCE_MS);
  rig.simulator.hangUp(next);
  await untilAllIsFree(agent, softphoneCallId, 'completed');
  expect(rig.simulator.record().channels.filter(channel => channel.uuid === fence)).toEqual([]);
}, 200_000);
