import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { systemIds } from '#kernel/ids.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig();
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(() => rig.close());

const end = (customerUuid: string, more: object = {}) => rig.server.internal('POST', '/api/transfers/end', { customerUuid, ...more });

describe('POST /api/transfers/route [OCS 4.15, D12.5]', () => {
  test('rings one idle agent, who meets the customer in a conference', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const answer = await rig.route(customer, { reason: '客户要求人工' });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      conferenceId: expect.any(Number),
      conferenceName: expect.stringMatching(/^callout-/),
      agent: { id: agent.id, name: expect.any(String), phoneExtension: agent.extension },
      softphoneCallId: expect.any(Number),
      agentCallUuid: expect.any(String),
    });
    const { conferenceId } = answer.data;
    await waitUntil('both to be in', async () => (await rig.session(conferenceId)).session.memberCount === 2);
    const { session, legs } = await rig.session(conferenceId);
    expect(session).toMatchObject({ status: 'live', customerState: 'inside', customerUuid: customer.requestId, reason: '客户要求人工' });
    expect(legs).toMatchObject([{ agentId: agent.id, status: 'joined', mode: 'transfer', role: 'agent' }]);
    const listed = await rig.server.api('GET', '/api/conference-sessions', undefined, rig.token);
    expect(listed.data.rows).toMatchObject([{ conferenceId, memberCount: 2 }]);
    expect(await rig.stageOf(agent.id)).toBe('talking');

    const ended = await end(customer.requestId, { conferenceId });
    expect(ended.data).toEqual({ ended: true, released: [{ softphoneCallId: answer.data.softphoneCallId, agentId: agent.id }] });
    expect((await end(customer.requestId)).data).toEqual({ ended: false, released: [] });
    await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
    await waitUntil('the agent leg to be gone', () => !rig.openChannels().includes(answer.data.agentCallUuid));
  });

  test('the same customer again, even concurrently, gets the same response', async () => {
    const [, , customer] = [await rig.agent(), await rig.agent(), await rig.customer()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => rig.route(customer)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    await end(customer.requestId);
  });

  test('twenty routes for one idle agent: one winner, the others get the response that nobody is available', async () => {
    const agent = await rig.agent();
    const customers = await Promise.all(Array.from({ length: 20 }, () => rig.customer()));
    const answers = await Promise.all(customers.map(customer => rig.route(customer)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners.map(({ data }) => data.agent.id)).toEqual([agent.id]);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status, msg }) => `${status} ${msg}`))).toEqual(
      new Set(['409 当前没有空闲坐席']),
    );
    await Promise.all(customers.map(customer => end(customer.requestId)));
  }, 90_000);

  test('no idle agent and no registered phone: 409, and no phone rings', async () => {
    await rig.agent({ status: 'offline' });
    await rig.agent({ registered: false });
    const before = rig.simulator.record().totals.originates;
    const customer = await rig.customer();
    expect(await rig.route(customer)).toMatchObject({ status: 409, msg: '当前没有空闲坐席' });
    expect(rig.simulator.record().totals.originates).toBe(before + 1);
  });

  test('an end before its route: the customer has left, no agent is reserved', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    expect((await end(customer.requestId)).data).toEqual({ ended: false, released: [] });
    expect(await rig.route(customer)).toMatchObject({ status: 409, msg: '客户已挂断' });
    expect(await rig.stageOf(agent.id)).toBe('idle');
  });

  test('an end during its route leaves nobody behind', async () => {
    const [agent, customer] = [await rig.agent({ ringMs: 5_000 }), await rig.customer()];
    await Promise.all([rig.route(customer), end(customer.requestId)]);
    await end(customer.requestId);
    await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
    const running = await rig.server.api('GET', '/api/conference-sessions', undefined, rig.token);
    expect(running.data.rows).toEqual([]);
  });

  test('another agent is called when a phone is not answered, up to the configured number', async () => {
    const [first, second, customer] = [await rig.agent({ manner: 'rejects' }), await rig.agent(), await rig.customer()];
    const answer = await rig.route(customer);
    expect(answer.data.agent.id).toBe(first.id);
    await rig.untilLive(answer.data.conferenceId);
    const { legs } = await rig.session(answer.data.conferenceId);
    expect(legs.map((leg: { agentId: number; status: string }) => [leg.agentId, leg.status])).toEqual([
      [second.id, 'joined'],
      [first.id, 'ended'],
    ]);
    expect(await rig.stageOf(first.id)).toBe('idle');
    await end(customer.requestId);
  });

  test('nobody answers: the session ends, the customer stays with the script, every agent is free', async () => {
    const agents = [await rig.agent({ manner: 'rejects' }), await rig.agent({ manner: 'busy' })];
    const customer = await rig.customer();
    const { data } = await rig.route(customer);
    await rig.untilEnded(data.conferenceId);
    expect((await rig.session(data.conferenceId)).session).toMatchObject({ endCause: 'NO_ANSWER', customerState: 'outside' });
    expect(rig.openChannels()).toContain(customer.requestId);
    for (const { id } of agents) await waitUntil('the agent to be free', async () => (await rig.stageOf(id)) === 'idle');
  });

  test('an intervention prefers its agent, and takes another when that one is busy', async () => {
    const [, preferred, customer, other] = [await rig.agent(), await rig.agent(), await rig.customer(), await rig.customer()];
    const first = await rig.route(customer, { agentId: preferred.id, interventionId: 'iv-1' });
    expect(first.data.agent.id).toBe(preferred.id);
    const second = await rig.route(other, { agentId: preferred.id, interventionId: 'iv-2' });
    expect(second.data.agent.id).not.toBe(preferred.id);
    await Promise.all([end(customer.requestId), end(other.requestId)]);
  });

  test('a named agent who is busy is not replaced without an intervention: 409', async () => {
    const [preferred, , customer, other] = [await rig.agent(), await rig.agent(), await rig.customer(), await rig.customer()];
    expect((await rig.route(customer, { agentId: preferred.id })).status).toBe(200);
    expect((await rig.route(other, { agentId: preferred.id })).status).toBe(409);
    await end(customer.requestId);
  });

  test.each([
    ['neither requestId nor attemptId', { customerUuid: systemIds() }, 'requestId'],
    ['a customerUuid that is none', { requestId: systemIds(), customerUuid: 'x' }, 'customerUuid'],
    ['an agentId that is none', { requestId: systemIds(), customerUuid: systemIds(), agentId: 'a' }, 'agentId'],
  ])('400 for %s, naming the field [D2.1]', async (_, body, field) => {
    const answer = await rig.server.internal('POST', '/api/transfers/route', body);
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(field);
  });

  test('an unknown call: 404; a customer who is not at the switch: 409', async () => {
    expect((await rig.server.internal('POST', '/api/transfers/route', { requestId: systemIds(), customerUuid: systemIds() })).status).toBe(
      404,
    );
    const customer = await rig.customer();
    expect(await rig.route(customer, { customerUuid: systemIds() })).toMatchObject({ status: 409, msg: '客户已挂断' });
  });

  test('an unconfigured cell: 400; an empty one means that of the call', async () => {
    const [, customer] = [await rig.agent(), await rig.customer()];
    const refused = await rig.route(customer, { cellId: 'moon' });
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('cellId')]);
    expect((await rig.route(customer, { cellId: ' ' })).status).toBe(200);
    await end(customer.requestId);
  });

  test('requires the internal token [D3.6]', async () => {
    const answer = await rig.server.api('POST', '/api/transfers/route', {}, rig.token);
    expect(answer.status).toBe(401);
  });

  test("another customer's conference is not ended: 409", async () => {
    const [, customer, other] = [await rig.agent(), await rig.customer(), await rig.customer()];
    const { data } = await rig.route(customer);
    expect((await end(other.requestId, { conferenceId: data.conferenceId })).status).toBe(409);
    await end(customer.requestId);
  });
});
