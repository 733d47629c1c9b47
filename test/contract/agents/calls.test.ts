import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type AgentRig, startAgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PATIENCE_MS = 60_000;

let rig: AgentRig;
let campaignId: number;
let sequence = 0;

beforeAll(async () => {
  // Customers answer and stay on the line.
  rig = await startAgentRig({ world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 600_000 } }) });
  campaignId = (await rig.campaign()).id;
});
afterAll(() => rig.close());

const number = () => `1390000${String(1_000 + (sequence += 1))}`;
const place = (agent: TestAgent, body: object, path = 'manual-calls', token = agent.token) =>
  rig.api('POST', `/api/agents/${agent.id}/${path}`, body, token);

interface CallRow {
  id: number;
  status: string;
  legs: { role: string; callUuid: string; status: string; hangupCause: string | null }[];
  [member: string]: unknown;
}

const callOf = async (softphoneCallId: number, agentId: number): Promise<CallRow> => {
  const { data } = await rig.api('GET', `/api/softphone-calls?agentId=${agentId}`);
  const row = (data.rows as CallRow[]).find(call => call.id === softphoneCallId);
  if (!row) throw new Error('the call is not listed');
  return row;
};
const untilCall = (softphoneCallId: number, agentId: number, status: string) =>
  waitUntil(`call ${softphoneCallId} to be ${status}`, async () => (await callOf(softphoneCallId, agentId)).status === status, PATIENCE_MS);

/** Hang-up causes of the legs as the switch reported them, the agent's first. */
const untilCauses = (softphoneCallId: number, agentId: number, causes: readonly (string | null)[]) =>
  waitUntil(
    `the legs to have ended with ${causes.join()}`,
    async () => String((await callOf(softphoneCallId, agentId)).legs.map(leg => leg.hangupCause)) === String(causes),
    PATIENCE_MS,
  );

async function contact(phoneNumber = number()): Promise<{ id: number; phoneNumber: string }> {
  await rig.api('POST', `/api/campaigns/${campaignId}/contacts`, { contacts: [{ phoneNumber }] });
  const { data } = await rig.api('GET', `/api/campaigns/${campaignId}/contacts?q=${phoneNumber}`);
  return { id: Number(data.rows[0].id), phoneNumber };
}

const channelsTo = (destination: string) => rig.simulator.record().channels.filter(channel => channel.number === destination);
const hangUp = (uuid: string) => rig.simulator.hangUp(uuid);

describe('a call placed by an agent', () => {
  test('rings the agent first, then the customer on the campaign line, connects them, and ends with the customer [OCS 4.13, D12.3]', async () => {
    const agent = await rig.agent();
    const { id: contactId, phoneNumber } = await contact();
    const placed = await place(agent, { contactId, note: '回访' });
    expect(placed.data).toEqual({
      softphoneCallId: expect.any(Number),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      direction: 'manual_call',
      status: 'created',
    });
    const { softphoneCallId, requestId } = placed.data;
    expect(await rig.statusOf(agent.id)).toBe('busy');
    await untilCall(softphoneCallId, agent.id, 'answered');
    const [agentChannel] = channelsTo(agent.extension);
    const [customerChannel] = channelsTo(phoneNumber);
    expect(customerChannel).toMatchObject({ uuid: requestId, variables: { origination_caller_id_number: '02166660000' } });
    expect(customerChannel?.startedAt).toBeGreaterThanOrEqual(agentChannel?.answeredAt ?? Number.POSITIVE_INFINITY);
    expect(await rig.slotsInUse()).toBe(1);
    await waitUntil('the two to be joined', () => rig.simulator.isBridged(requestId), PATIENCE_MS);
    hangUp(requestId);
    await untilCall(softphoneCallId, agent.id, 'completed');
    expect(await callOf(softphoneCallId, agent.id)).toMatchObject({
      direction: 'manual_call',
      contactId,
      campaignId,
      phoneNumber,
      note: '回访',
      callStatus: 'completed',
      callerNumber: '02166660000',
      legs: [
        { role: 'agent', status: 'ended' },
        { role: 'customer', callUuid: requestId, status: 'ended' },
      ],
    });
    await untilCauses(softphoneCallId, agent.id, ['NORMAL_CLEARING', 'NORMAL_CLEARING']);
    await rig.untilStatusOf(agent.id, 'idle');
    await waitUntil('the slot to be free', async () => (await rig.slotsInUse()) === 0, PATIENCE_MS);
    expect(rig.simulator.record().channels.filter(channel => channel.endedAt === null)).toEqual([]);
  });

  test("a callback and a transfer are recorded with their direction; a hang-up by the agent ends the customer's leg [OCS 2.13]", async () => {
    const agent = await rig.agent();
    for (const [path, direction] of [
      ['callbacks', 'callback'],
      ['transfers', 'transfer'],
    ] as const) {
      const phoneNumber = number();
      const { data } = await place(agent, { phoneNumber, campaignId }, path);
      expect(data.direction).toBe(direction);
      await untilCall(data.softphoneCallId, agent.id, 'answered');
      const row = await callOf(data.softphoneCallId, agent.id);
      await waitUntil('the two to be joined', () => rig.simulator.isBridged(data.requestId), PATIENCE_MS);
      hangUp(row.legs[0]?.callUuid ?? '');
      await untilCall(data.softphoneCallId, agent.id, 'completed');
      expect(await callOf(data.softphoneCallId, agent.id)).toMatchObject({ direction, hangupBy: 'agent' });
      await waitUntil('the customer to be gone', () => channelsTo(phoneNumber).every(channel => channel.endedAt !== null), PATIENCE_MS);
      await rig.untilStatusOf(agent.id, 'idle');
    }
  });
});

describe("callees of an agent's call", () => {
  test.each([
    [{}, 'phoneNumber'],
    [{ phoneNumber: 'abc' }, 'phoneNumber'],
    [{ phoneNumber: '1\n2' }, 'phoneNumber'],
    [{ phoneNumber: 13 }, 'phoneNumber'],
    [{ contactId: 'x' }, 'contactId'],
    [{ phoneNumber: '13900000001', campaignId: -1 }, 'campaignId'],
  ])('refuses %j naming the field [D2.1]', async (body, field) => {
    const agent = await rig.agent();
    const answer = await place(agent, body);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.msg).toContain(field);
    expect(await rig.statusOf(agent.id)).toBe('idle');
  });

  test('a contact or campaign that does not exist gives 404 [OCS 7]', async () => {
    const agent = await rig.agent();
    expect((await place(agent, { contactId: 999_999_999 })).status).toBe(404);
    expect((await place(agent, { phoneNumber: number(), campaignId: 999_999 })).status).toBe(404);
    expect((await place({ ...agent, id: 999_999 }, { phoneNumber: number() }, 'manual-calls', rig.token)).status).toBe(404);
  });

  test('a listed or blocked number gives 409 before any phone rings [D12.3]', async () => {
    const agent = await rig.agent();
    const [listed, blocked] = [number(), number()];
    await rig.api('POST', '/api/dnc', { phoneNumber: listed, reason: '客户要求' });
    await rig.api('POST', '/api/policies', {
      name: '黑名单',
      scope: 'global',
      type: 'phone_blacklist',
      action: 'block',
      config: { numbers: [blocked] },
    });
    for (const phoneNumber of [listed, blocked]) {
      for (const target of [{ phoneNumber }, { phoneNumber, campaignId }]) {
        expect((await place(agent, target)).status).toBe(409);
      }
    }
    expect(channelsTo(agent.extension)).toEqual([]);
    expect(await rig.statusOf(agent.id)).toBe('idle');
  });

  test('a contact talks to one agent at a time: of two agents one wins, the other gets 409 [D12.3]', async () => {
    const [one, other] = [await rig.agent(), await rig.agent()];
    const { id: contactId } = await contact();
    const answers = await Promise.all([place(one, { contactId }), place(other, { contactId })]);
    expect(answers.map(answer => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? one : other;
    const loser = winner === one ? other : one;
    expect(await rig.statusOf(loser.id)).toBe('idle');
    const again = await rig.server.running.context.database.run(sql`
      update softphone_call set note = 'x' where contact_id = ${contactId} and status in ('created','ringing','dialing','answered')`);
    expect(again).toBe(1);
  });

  test('an open call of the AI blocks calls by agents to its contact [D12.3]', async () => {
    const agent = await rig.agent();
    const { id: contactId } = await contact();
    await rig.server.running.context.database.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
      values (gen_random_uuid(), ${campaignId}, ${contactId}, '1', '1', 'claimed')`);
    const answer = await place(agent, { contactId });
    expect(answer).toMatchObject({ status: 409, data: null });
    expect(await rig.statusOf(agent.id)).toBe('idle');
    await rig.server.running.context.database.run(sql`update attempt set status = 'cancelled' where contact_id = ${contactId}`);
  });
});

describe("callers of an agent's call", () => {
  test('an agent on a call gives 409, and an agent calls only as themselves [D12.3, OCS 4.13]', async () => {
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const { data } = await place(agent, { phoneNumber: number() });
    expect((await place(agent, { phoneNumber: number() })).status).toBe(409);
    expect((await rig.api('DELETE', `/api/agents/${agent.id}`)).status).toBe(409);
    await untilCall(data.softphoneCallId, agent.id, 'answered');
    expect((await rig.api('GET', '/api/agents/me/status', undefined, agent.token)).data.agent).toMatchObject({
      status: 'busy',
      currentCall: `request:${data.requestId}`,
    });
    expect((await place(other, { phoneNumber: number() }, 'manual-calls', agent.token)).status).toBe(403);
  });

  test('an agent without a registered phone gives 409 [D12.3]', async () => {
    const agent = await rig.agent({ phone: { isRegistered: false } });
    await waitUntil(
      'the phone to be known as unregistered',
      async () => (await place(agent, { phoneNumber: number() })).status === 409,
      PATIENCE_MS,
    );
    expect(channelsTo(agent.extension)).toEqual([]);
  });
});

describe('an agent who does not answer', () => {
  test.each([
    ['rejects', 'CALL_REJECTED'],
    ['busy', 'USER_BUSY'],
  ] as const)('a phone that %s fails the call, never dials the customer and frees the agent [D12.7]', async (manner, cause) => {
    const agent = await rig.agent({ phone: { manner } });
    const phoneNumber = number();
    const { data } = await place(agent, { phoneNumber });
    await untilCall(data.softphoneCallId, agent.id, 'failed');
    expect(await callOf(data.softphoneCallId, agent.id)).toMatchObject({ hangupCause: cause, hangupBy: 'agent' });
    await untilCauses(data.softphoneCallId, agent.id, [cause, null]);
    expect(channelsTo(phoneNumber)).toEqual([]);
    await rig.untilStatusOf(agent.id, 'idle');
  });

  test('a phone that rings until the timeout fails the call and frees the agent [D12.7]', async () => {
    const agent = await rig.agent({ phone: { manner: 'noAnswer' } });
    const phoneNumber = number();
    const { data } = await place(agent, { phoneNumber });
    await untilCall(data.softphoneCallId, agent.id, 'failed');
    expect(channelsTo(phoneNumber)).toEqual([]);
    await rig.untilStatusOf(agent.id, 'idle');
    expect(channelsTo(agent.extension).every(channel => channel.endedAt !== null)).toBe(true);
  });

  test('an extension unknown to the switch fails the call and frees the agent [test/fixtures/esl/README.md §3 SUBSCRIBER_ABSENT]', async () => {
    const agent = await rig.agent();
    rig.simulator.phones.forgetSilently(agent.extension);
    const { data } = await place(agent, { phoneNumber: number() });
    await untilCall(data.softphoneCallId, agent.id, 'failed');
    expect((await callOf(data.softphoneCallId, agent.id))['hangupCause']).toBe('SUBSCRIBER_ABSENT');
    await rig.untilStatusOf(agent.id, 'idle');
  });
});

describe('GET /api/softphone-calls', () => {
  test('is paged newest first and filtered by agent and campaign [OCS 4.13, D2.4]', async () => {
    const { data } = await rig.api('GET', '/api/softphone-calls?pageSize=2');
    expect(data).toMatchObject({ page: 1, pageSize: 2 });
    const ids = (data.rows as CallRow[]).map(row => row.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await rig.api('GET', '/api/softphone-calls?agentId=999999')).data).toMatchObject({ rows: [], total: 0 });
    const ofCampaign = (await rig.api('GET', `/api/softphone-calls?campaignId=${campaignId}`)).data;
    expect(ofCampaign.total).toBeGreaterThan(0);
    expect((ofCampaign.rows as CallRow[]).every(row => row['campaignId'] === campaignId)).toBe(true);
    expect((await rig.api('GET', '/api/softphone-calls?agentId=x')).status).toBe(400);
  });

  test('an agent sees only their own calls, in REST and GraphQL, whatever the filter [OCS 4.14]', async () => {
    const [mine, other] = [await rig.agent(), await rig.agent()];
    await place(mine, { phoneNumber: number(), note: 'mine' });
    await place(other, { phoneNumber: number(), note: 'not for others' });
    const own = async (path: string) => (await rig.api('GET', path, undefined, mine.token)).data;
    const listed = await own('/api/softphone-calls?pageSize=200');
    expect((listed.rows as CallRow[]).map(row => row['note'])).toEqual(['mine']);
    expect(listed.total).toBe(1);
    expect(await own(`/api/softphone-calls?agentId=${other.id}`)).toMatchObject({ rows: [], total: 0 });
    const query = '{ softphoneCalls(first: 50) { totalCount nodes { note } } }';
    const answer = await fetch(`${rig.server.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${mine.token}` },
      body: JSON.stringify({ query }),
    });
    expect(await answer.json()).toEqual({
      data: { softphoneCalls: { totalCount: 1, nodes: [{ note: 'mine' }] } },
      extensions: { cost: expect.any(Number) },
    });
  });
});
