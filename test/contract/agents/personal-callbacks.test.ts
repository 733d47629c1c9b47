import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AgentRig, startAgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PATIENCE_MS = 60_000;
const HOUR_MS = 3_600_000;

let rig: AgentRig;
let sequence = 0;

beforeAll(async () => {
  // Customers answer and stay on the line.
  rig = await startAgentRig({ world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }) });
});
afterAll(() => rig.close());

/** A campaign with one contact, which waits for nothing yet. */
async function campaignOfOne() {
  const { id: campaignId } = await rig.campaign();
  const phoneNumber = `1391000${String(1_000 + (sequence += 1))}`;
  await rig.api('POST', `/api/campaigns/${campaignId}/contacts`, { contacts: [{ phoneNumber }] });
  const { data } = await rig.api('GET', `/api/campaigns/${campaignId}/contacts?q=${phoneNumber}`);
  return { campaignId, contactId: Number(data.rows[0].id), phoneNumber };
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const promise = (agent: TestAgent, body: object, token = agent.token) =>
  rig.api('POST', `/api/agents/${agent.id}/promised-callbacks`, body, token);

async function callbackOf(contactId: number) {
  const { data } = await rig.api('GET', `/api/callbacks?contactId=${contactId}`);
  return data.rows[0];
}

/** The agent calls the contact by hand, and the customer hangs up. */
async function talkWith(agent: TestAgent, contactId: number): Promise<void> {
  const { data } = await rig.api('POST', `/api/agents/${agent.id}/manual-calls`, { contactId }, agent.token);
  await waitUntil('the two to be joined', () => rig.simulator.isBridged(data.requestId), PATIENCE_MS);
  rig.simulator.hangUp(data.requestId);
  await rig.untilStatusOf(agent.id, 'idle');
}

const openChannelTo = (phoneNumber: string) =>
  rig.simulator.record().channels.find(channel => channel.number === phoneNumber && channel.endedAt === null);

describe('a callback that an agent promises [D7.12]', () => {
  test('rings the same agent at its time, and is kept by the customer who answers', async () => {
    const agent = await rig.agent();
    const { campaignId, contactId, phoneNumber } = await campaignOfOne();
    await talkWith(agent, contactId);
    const answer = await promise(agent, { contactId, dueAt: inMs(2_000), note: '发报价后再打' });
    expect(answer.data.callback).toMatchObject({ contactId, agentId: agent.id, source: 'agent', status: 'promised', note: '发报价后再打' });
    await rig.api('PATCH', `/api/campaigns/${campaignId}`, { status: 'running' });
    await waitUntil('the customer to be called', () => openChannelTo(phoneNumber) !== undefined, PATIENCE_MS);
    const requestId = openChannelTo(phoneNumber)?.uuid ?? '';
    await waitUntil('the two to be joined', () => rig.simulator.isBridged(requestId), PATIENCE_MS);
    const { data } = await rig.api('GET', `/api/softphone-calls?agentId=${agent.id}`);
    expect(data.rows[0]).toMatchObject({ direction: 'callback', contactId, campaignId, note: '发报价后再打', status: 'answered' });
    rig.simulator.hangUp(requestId);
    await waitUntil('the callback to be kept', async () => (await callbackOf(contactId)).status === 'kept', PATIENCE_MS);
    const contact = await rig.api('GET', `/api/campaigns/${campaignId}/contacts?q=${phoneNumber}`);
    expect(contact.data.rows[0]).toMatchObject({ status: 'completed', callbackAt: null });
  });

  test('is for anybody where the agent says so', async () => {
    const agent = await rig.agent();
    const { contactId } = await campaignOfOne();
    await talkWith(agent, contactId);
    const answer = await promise(agent, { contactId, dueAt: inMs(HOUR_MS), isPersonal: false });
    expect(answer.data.callback).toMatchObject({ agentId: null, source: 'agent' });
  });

  test('is refused to an agent who has not talked with the contact, for another agent, and in the past', async () => {
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const { contactId } = await campaignOfOne();
    expect((await promise(agent, { contactId, dueAt: inMs(HOUR_MS) })).status).toBe(403);
    await talkWith(agent, contactId);
    expect((await promise(other, { contactId, dueAt: inMs(HOUR_MS) }, agent.token)).status).toBe(403);
    const past = await promise(agent, { contactId, dueAt: inMs(-HOUR_MS) });
    expect(past).toMatchObject({ status: 400, data: null });
    expect(past.msg).toContain('dueAt 必须晚于当前时间');
    expect((await promise(agent, { contactId: 999_999_999, dueAt: inMs(HOUR_MS) })).status).toBe(404);
    expect(await callbackOf(contactId)).toBeUndefined();
  });

  test('is moved and cancelled by the agent whose it is, and by nobody else of the agents', async () => {
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const cancel = (who: TestAgent, id: number) =>
      rig.api('DELETE', `/api/agents/${who.id}/promised-callbacks/${id}`, undefined, who.token);
    const { contactId } = await campaignOfOne();
    await talkWith(agent, contactId);
    const { data } = await promise(agent, { contactId, dueAt: inMs(HOUR_MS) });
    const later = inMs(2 * HOUR_MS);
    const moved = await promise(agent, { contactId, dueAt: later });
    expect(moved.data.callback).toMatchObject({ id: data.callback.id, dueAt: later, agentId: agent.id });
    expect((await cancel(other, data.callback.id)).status).toBe(403);
    expect((await callbackOf(contactId)).status).toBe('promised');
    expect((await cancel(agent, data.callback.id)).data.callback).toMatchObject({ status: 'cancelled' });
    expect(await cancel(agent, data.callback.id)).toMatchObject({ status: 409 });
    expect((await cancel(agent, 999_999_999)).status).toBe(404);
  });

  test('is cancelled by the agent who promised it for anybody', async () => {
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const { contactId } = await campaignOfOne();
    await talkWith(agent, contactId);
    const { data } = await promise(agent, { contactId, dueAt: inMs(HOUR_MS), isPersonal: false });
    const path = (who: TestAgent) => `/api/agents/${who.id}/promised-callbacks/${data.callback.id}`;
    expect((await rig.api('DELETE', path(other), undefined, other.token)).status).toBe(403);
    expect((await rig.api('DELETE', path(agent), undefined, agent.token)).data.callback).toMatchObject({ status: 'cancelled' });
  });

  test('is promised for any agent by those who may edit contacts, also without a call', async () => {
    const agent = await rig.agent();
    const { campaignId, contactId } = await campaignOfOne();
    const dueAt = inMs(HOUR_MS);
    const answer = await rig.api('POST', `/api/campaigns/${campaignId}/contacts/${contactId}/callback`, { dueAt, agentId: agent.id });
    expect(answer.data.callback).toMatchObject({ agentId: agent.id, source: 'console', dueAt });
    const listed = await rig.api('GET', `/api/callbacks?agentId=${agent.id}`);
    expect(listed.data).toMatchObject({ total: 1, rows: [{ contactId }] });
    expect((await rig.api('GET', '/api/callbacks')).data.rows).toContainEqual(expect.objectContaining({ contactId }));
    const unknown = await rig.api('POST', `/api/campaigns/${campaignId}/contacts/${contactId}/callback`, { dueAt, agentId: 999_999 });
    expect(unknown).toMatchObject({ status: 400 });
    expect(unknown.msg).toContain('agentId 所指的坐席不存在');
  });
});
