import { randomUUID } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { signedBy } from '#test/support/signed.ts';
import { startAgentRig, type AgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody, numbers } from '#test/support/dispatch-rig.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Customers stay on the line for longer than the tests take. */
const WORLD = everybody('answer', { talkMs: { minMs: 900_000, maxMs: 900_000 } });
const businesses = [
  { businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true },
  { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true },
];

let rig: AgentRig;
let anna: TestAgent;
let ben: TestAgent;
let bus: NatsConnection;

beforeAll(async () => {
  rig = await startAgentRig({ world: WORLD, config: { businesses } });
  [anna, ben] = [await rig.agent(), await rig.agent()];
  bus = await connect({ servers: rig.server.nats.url });
}, 120_000);
afterAll(async () => {
  await bus?.close();
  await rig?.close();
});

interface Shown {
  callKey: string;
  requestId: string;
  attemptId: number;
  status: string;
  hangupCause: string | null;
  monitorViewMode: string;
  monitorAssignment: { userId: number } | null;
  intervention: { id: string; status: string } | null;
  intentHits: { keyword: string; segmentId: string }[];
}

let from = 13_800_000_000;

/** Answered calls in a campaign of their own, oldest first. */
async function liveCalls(count: number, config: Record<string, unknown> = {}): Promise<{ campaignId: number; calls: Shown[] }> {
  from += 1_000_000;
  const businessConfig = { monitoringMode: 'elastic', intentKeywords: ['投诉', '转人工'], ...config };
  const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(count, from) });
  await rig.start(id);
  const shown = async () => (await rig.api('GET', `/api/live-calls?campaignId=${id}`)).data.calls as Shown[];
  await waitUntil('the calls to be live', async () => (await shown()).filter(call => call.status === 'live').length === count);
  return { campaignId: id, calls: await shown() };
}

const beat = (agent: TestAgent, campaignId: number | null = null) =>
  rig.api('POST', '/api/live-monitor/heartbeat', { campaignId, tabId: 'tab-1' }, agent.token);
const leave = (agent: TestAgent) => rig.api('DELETE', '/api/live-monitor/presence', undefined, agent.token);
const callsOf = async (agent: TestAgent) => (await rig.api('GET', '/api/live-calls', undefined, agent.token)).data.calls as Shown[];
const post = (path: string, token = rig.token) => rig.api('POST', path, undefined, token);
const callOf = async (callKey: string) =>
  ((await rig.api('GET', '/api/live-calls')).data.calls as Shown[]).find(call => call.callKey === callKey);

async function given(agent: TestAgent, count: number): Promise<Shown[]> {
  const { campaignId } = await liveCalls(count);
  await beat(agent, campaignId);
  await waitUntil('the calls to be given', async () => {
    await beat(agent, campaignId);
    return (await callsOf(agent)).filter(call => call.status === 'live').length === count;
  });
  return callsOf(agent);
}

interface BusAnswer {
  ok: boolean;
  code?: string;
  data?: Record<string, unknown>;
}

async function ask(subject: string, body: object, internalToken = ''): Promise<BusAnswer> {
  const text = JSON.stringify(body);
  return (await bus.request(subject, text, { timeout: 20_000, ...signedBy(internalToken, { subject, text }) })).json();
}

async function hangUpAll(calls: readonly Shown[]): Promise<void> {
  for (const { callKey } of calls) await post(`/api/live-calls/${callKey}/hangup`);
}

describe('visibility of calls [OCS 4.12, D9.2]', () => {
  test('an agent sees the calls assigned to them, a supervisor all, with the capacity of all', async () => {
    const { campaignId, calls } = await liveCalls(2);
    expect(await callsOf(anna)).toEqual([]);
    // A call appears as soon as it is answered, and is assigned right after.
    await waitUntil('the calls to be given', async () => (await beat(anna, campaignId)).data.capacity.used === 2);
    const { status, data } = await beat(anna, campaignId);
    expect(status).toBe(200);
    expect(data).toMatchObject({ capacity: { mine: 5, used: 2, total: 5, waiting: 0 }, waiting: 0 });
    expect(data.assigned.toSorted()).toEqual(calls.map(call => call.callKey).toSorted());
    expect(await callsOf(anna)).toMatchObject([
      { status: 'live', monitorViewMode: 'active', monitorAssignment: { userId: anna.userId, agentId: anna.id }, waitingSince: null },
      {},
    ]);
    expect(await callsOf(ben)).toEqual([]);
    expect((await rig.api('GET', '/api/live-calls')).data.calls.length).toBeGreaterThanOrEqual(2);
    // A blank filter is ignored; an invalid campaign is refused by name.
    expect((await rig.api('GET', '/api/live-calls?campaignId=', undefined, anna.token)).data.calls).toHaveLength(2);
    const refused = await rig.api('GET', '/api/live-calls?campaignId=x', undefined, anna.token);
    expect([refused.status, refused.code, refused.data, refused.msg]).toEqual([400, '400', null, '参数错误：campaignId 必须是正整数']);
    expect((await leave(anna)).data.released).toHaveLength(2);
    expect(await callsOf(anna)).toEqual([]);
    await hangUpAll(calls);
  });

  test('a watcher appears under their display name, not their user name [D9.2]', async () => {
    const { user } = (await rig.api('PATCH', `/api/users/${ben.userId}`, { displayName: '本·陈' })).data;
    const { token } = (await rig.api('POST', '/api/auth/login', { username: user.username, password: 'agent-password' })).data;
    const { campaignId, calls } = await liveCalls(1);
    const named = { ...ben, token };
    await waitUntil('the call to be given', async () => (await beat(named, campaignId)).data.capacity.used === 1);
    expect(await callsOf(named)).toMatchObject([{ monitorAssignment: { userId: ben.userId, displayName: '本·陈' } }]);
    await leave(named);
    await hangUpAll(calls);
  });

  test('an agent who is busy has no capacity [D9.4]', async () => {
    await rig.api('PATCH', `/api/agents/${ben.id}/status`, { status: 'busy' });
    expect((await beat(ben)).data.capacity.mine).toBe(0);
    await leave(ben);
    await rig.api('PATCH', `/api/agents/${ben.id}/status`, { status: 'idle' });
  });
});

describe('human intervention [OCS 3, D9.3]', () => {
  test('claim, once; the call becomes read-only for others; only the initiator cancels', async () => {
    const [mine, second] = await given(anna, 2);
    if (!mine || !second) throw new Error('no calls');
    const path = `/api/live-calls/${mine.callKey}/intervene`;
    expect((await post(path, ben.token)).status).toBe(403);
    const claimed = await post(path, anna.token);
    expect(claimed.data).toMatchObject({
      callKey: mine.callKey,
      intervention: { status: 'requested', initiatorId: anna.userId, agentId: anna.id, consumedAt: null },
    });
    expect((await post(path, anna.token)).status).toBe(409);
    expect((await post(path)).status).toBe(409);
    await waitUntil('the other call to be read-only', async () =>
      (await callsOf(anna)).some(call => call.callKey === second.callKey && call.monitorViewMode === 'retained'),
    );
    const cancel = `/api/live-calls/${mine.callKey}/intervention/cancel`;
    expect((await post(cancel, ben.token)).status).toBe(403);
    expect((await post(`/api/live-calls/${mine.callKey}/release`, anna.token)).status).toBe(409);
    expect((await post(cancel, anna.token)).data.intervention).toMatchObject({ status: 'cancelled' });
    expect((await post(cancel, anna.token)).status).toBe(409);
    const { rows } = (await rig.api('GET', `/api/audit-logs?q=${mine.requestId}`)).data;
    expect(rows.map((row: { action: string }) => row.action)).toEqual(['intervention.cancelled', 'intervention.claimed']);
    await leave(anna);
    await hangUpAll([mine, second]);
  });

  test('a heartbeat during a claim does not cost a monitor capacity once the claim is over [D9.3, D9.4]', async () => {
    const [mine, second] = await given(anna, 2);
    if (!mine || !second) throw new Error('no calls');
    expect((await post(`/api/live-calls/${mine.callKey}/intervene`, anna.token)).status).toBe(200);
    await waitUntil('the other call to be read-only', async () =>
      (await callsOf(anna)).some(call => call.callKey === second.callKey && call.monitorViewMode === 'retained'),
    );
    // The agent is reserved for the claim, so there is no capacity meanwhile.
    expect((await beat(anna)).data.capacity.mine).toBe(0);
    expect((await post(`/api/live-calls/${mine.callKey}/intervention/cancel`, anna.token)).status).toBe(200);
    await waitUntil('both calls to be theirs again, without a heartbeat', async () => {
      const calls = await callsOf(anna);
      return [mine, second].every(({ callKey }) => calls.some(call => call.callKey === callKey && call.monitorViewMode === 'active'));
    });
    const { capacity } = (await rig.api('GET', '/api/live-calls', undefined, anna.token)).data;
    expect(capacity).toMatchObject({ mine: 5, used: 2, waiting: 0 });
    await leave(anna);
    await hangUpAll([mine, second]);
  });

  test('a supervisor who has claimed a call sees their other calls read-only, like any monitor [OCS 4.12 rule 3]', async () => {
    const user = { username: 'watching-supervisor', password: 'agent-password' };
    const userId = await rig.server.createUser({ ...user, role: 'supervisor' });
    const desk = await rig.agent({ userId });
    const { token } = (await rig.api('POST', '/api/auth/login', user)).data;
    const { campaignId, calls } = await liveCalls(2);
    const [mine, second] = calls;
    if (!mine || !second) throw new Error('no calls');
    await waitUntil(
      'the calls to be given',
      async () => (await beat({ ...desk, userId, token }, campaignId)).data.assigned.length === calls.length,
    );
    expect((await post(`/api/live-calls/${mine.callKey}/intervene`, token)).status).toBe(200);
    const modeOf = async (callKey: string, as: string) => {
      const { data } = await rig.api('GET', `/api/live-calls?campaignId=${campaignId}`, undefined, as);
      return (data.calls as Shown[]).find(call => call.callKey === callKey)?.monitorViewMode;
    };
    await waitUntil('the other call to be read-only', async () => (await modeOf(second.callKey, token)) === 'retained');
    expect(await modeOf(mine.callKey, token)).toBe('active');
    expect(await modeOf(second.callKey, rig.token)).toBe('active');
    await leave({ ...desk, token });
    await hangUpAll(calls);
  });

  test('a claim that the runtime has consumed can no longer be cancelled; a report after a cancel is a fact with an alert', async () => {
    const { calls } = await liveCalls(2);
    const [one, two] = calls;
    if (!one || !two) throw new Error('no calls');
    const { data } = await post(`/api/live-calls/${one.callKey}/intervene`);
    const consume = (internalToken = INTERNAL_TOKEN) =>
      ask(`callout.v1.actor.intervention.${one.requestId}.consume`, { interventionId: data.intervention.id }, internalToken);
    expect(await consume('guessed')).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' });
    expect(await consume()).toMatchObject({ ok: true, data: { consumed: true, status: 'transferring' } });
    expect(await consume()).toMatchObject({ ok: true, data: { consumed: true } });
    expect(await consumedRows(one.requestId)).toEqual([{ actorName: 'internal', targetId: one.requestId }]);
    expect((await post(`/api/live-calls/${one.callKey}/intervention/cancel`)).status).toBe(409);

    const asked = (await post(`/api/live-calls/${two.callKey}/intervene`)).data.intervention.id;
    await post(`/api/live-calls/${two.callKey}/intervention/cancel`);
    const notice = { requestId: two.requestId, kind: 'intervention', intervention: { id: asked, status: 'active', agentId: anna.id } };
    expect((await rig.server.internal('POST', '/api/call-progress', notice)).data).toEqual({ accepted: 1, duplicates: 0 });
    expect((await rig.server.internal('POST', '/api/call-progress', notice)).data).toEqual({ accepted: 0, duplicates: 1 });
    expect((await callOf(two.callKey))?.intervention).toMatchObject({ id: asked, status: 'active', agentId: anna.id });
    await waitUntil('the alert', async () => {
      const { data: overview } = await rig.api('GET', '/api/runtime/overview');
      return JSON.stringify(overview.recentEvents).includes('intervention.active');
    });
    await hangUpAll(calls);
  });

  test('an agent whose phone or status does not allow it gets that reason [D9.3]', async () => {
    const [call] = await given(anna, 1);
    await rig.api('PATCH', `/api/agents/${anna.id}/status`, { status: 'busy' });
    expect((await post(`/api/live-calls/${call?.callKey}/intervene`, anna.token)).status).toBe(409);
    await rig.api('PATCH', `/api/agents/${anna.id}/status`, { status: 'idle' });
    await leave(anna);
    await hangUpAll(call ? [call] : []);
  });

  test('a user who may not claim is refused before any detail of the call; a busy supervisor names the agent who takes it [D9.3]', async () => {
    const { calls } = await liveCalls(2);
    const [call, ended] = calls;
    if (!call || !ended) throw new Error('no calls');
    const user = { username: 'busy-supervisor', password: 'agent-password' };
    const userId = await rig.server.createUser({ ...user, role: 'supervisor' });
    const { id: agentId } = await rig.agent({ userId });
    const { token } = (await rig.api('POST', '/api/auth/login', user)).data;
    const path = `/api/live-calls/${call.callKey}/intervene`;
    const claim = (token: string, body: object = {}) => rig.api('POST', path, body, token);
    await rig.api('PATCH', `/api/agents/${agentId}/status`, { status: 'busy' });
    expect((await claim(token)).status).toBe(409);
    expect((await claim(anna.token, { agentId: ben.id })).status).toBe(403);
    const { data } = await claim(token, { agentId: ben.id });
    expect(data.intervention).toMatchObject({ status: 'requested', initiatorId: userId, agentId: ben.id });
    expect((await claim(anna.token)).status).toBe(403);
    await post(`/api/live-calls/${ended.callKey}/hangup`);
    await waitUntil('the call to end', async () => (await callOf(ended.callKey))?.status === 'ended');
    expect((await post(`/api/live-calls/${ended.callKey}/intervene`, anna.token)).status).toBe(403);
    expect((await post(`/api/live-calls/${ended.callKey}/intervene`)).status).toBe(409);
    await post(`/api/live-calls/${call.callKey}/intervention/cancel`, token);
    await hangUpAll(calls);
  });

  test('a call by its attempt is the same call; an unknown key is refused', async () => {
    const { calls } = await liveCalls(1);
    const claimed = await post(`/api/live-calls/attempt:${calls[0]?.attemptId}/intervene`);
    expect(claimed.data.callKey).toBe(calls[0]?.callKey);
    expect((await post(`/api/live-calls/request:${randomUUID()}/intervene`)).status).toBe(404);
    expect((await post('/api/live-calls/nothing/intervene')).status).toBe(400);
    await hangUpAll(calls);
  });
});

describe('releasing and ending calls [OCS 4.12]', () => {
  test('a released call does not return; only its monitor may release it', async () => {
    const [call] = await given(anna, 1);
    const path = `/api/live-calls/${call?.callKey}/release`;
    expect((await post(path, ben.token)).status).toBe(403);
    expect((await post(path, anna.token)).data).toEqual({ callKey: call?.callKey });
    await beat(anna);
    expect(await callsOf(anna)).toEqual([]);
    await leave(anna);
    await hangUpAll(call ? [call] : []);
  });

  test('a supervisor hangs up: NORMAL_CLEARING at the switch, audit row, runtime event; again: 409 [D9.6]', async () => {
    const { calls } = await liveCalls(1);
    const [call] = calls;
    const path = `/api/live-calls/${call?.callKey}/hangup`;
    expect((await post(path, anna.token)).status).toBe(403);
    expect((await post(path)).data).toEqual({ callKey: call?.callKey, hangupCause: 'NORMAL_CLEARING' });
    await waitUntil('the call to end', async () => (await callOf(call?.callKey ?? ''))?.status === 'ended');
    expect((await post(path)).status).toBe(409);
    const { rows } = (await rig.api('GET', `/api/audit-logs?q=${call?.requestId}`)).data;
    expect(rows.map((row: { action: string }) => row.action)).toEqual(['call.hung_up']);
    const { data } = await rig.api('GET', '/api/runtime/overview');
    // The user knows about it, so it needs no acknowledgement.
    expect(data.recentEvents).toContainEqual(expect.objectContaining({ type: 'supervisor.hangup', level: 'info' }));
    expect((await callOf(call?.callKey ?? ''))?.hangupCause).toBe('NORMAL_CLEARING');
  });
});

describe('captions of customers [OCS 4.12 rule 2, D9.1]', () => {
  test('a keyword in a final caption of the customer is one hit, and a runtime event', async () => {
    const { calls } = await liveCalls(1);
    const { requestId = '', callKey = '' } = calls[0] ?? {};
    const caption = (segmentId: string, text: string, more: object = {}) => ({
      requestId,
      kind: 'segment',
      segment: { segmentId, speaker: 'customer', text, ...more },
    });
    const events = [
      caption('s1', '我要投', { final: false }),
      caption('s1', '我要投诉！'),
      caption('s1', '我要投诉！'),
      caption('s2', '我要投诉', { speaker: 'bot' }),
      caption('s3', '那就转人工吧，投诉'),
      { ...caption('s4', '您好'), seq: 41 },
      // A repeated sequence number is ignored, whatever the text.
      { ...caption('s5', '我要投诉'), seq: 41 },
    ];
    const { data } = await rig.server.internal('POST', '/api/call-progress', { events });
    expect(data).toEqual({ accepted: 5, duplicates: 2, rejected: [] });
    expect((await callOf(callKey))?.intentHits).toMatchObject([
      { keyword: '投诉', segmentId: 's1' },
      { keyword: '转人工', segmentId: 's3' },
      { keyword: '投诉', segmentId: 's3' },
    ]);
    await waitUntil('the runtime events', async () => {
      const { data: overview } = await rig.api('GET', '/api/runtime/overview');
      return JSON.stringify(overview.recentEvents).split('intent.alert').length === 4;
    });
    await hangUpAll(calls);
  });
});

async function consumedRows(requestId: string) {
  const { rows } = (await rig.api('GET', '/api/audit-logs?pageSize=200&q=intervention')).data;
  return (rows as { action: string; actorName: string; targetId: string }[])
    .filter(row => row.action === 'intervention.consumed' && row.targetId === requestId)
    .map(({ actorName, targetId }) => ({ actorName, targetId }));
}

describe('the same over NATS [A4]', () => {
  test('users are identified by their session; rules and refusals are those of REST', async () => {
    const { campaignId, calls } = await liveCalls(1);
    const { requestId = '' } = calls[0] ?? {};
    const { token } = anna;
    const call = (command: string) => `callout.v1.actor.call.${requestId}.${command}`;
    expect(await ask(call('claim'), {})).toMatchObject({ ok: false, code: 'INVALID_ARGUMENT' });
    expect(await ask(call('claim'), { token: 'nobody' })).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' });
    expect(await ask(call('claim'), { token })).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    expect(await ask(call('hangup'), { token })).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    // A call appears as soon as it is answered, and is assigned right after.
    await waitUntil('the call to be given', async () => {
      const { ok, data } = await ask('callout.v1.actor.monitor.me.heartbeat', { token, campaignId });
      expect(ok).toBe(true);
      return JSON.stringify(data?.['assigned']) === JSON.stringify([requestId]);
    });
    expect(await ask(call('claim'), { token })).toMatchObject({ ok: true, data: { requestId, intervention: { status: 'requested' } } });
    expect(await ask(call('cancel'), { token })).toMatchObject({ ok: true, data: { intervention: { status: 'cancelled' } } });
    await waitUntil('the call to be free', async () => (await ask(call('release'), { token })).ok);
    expect(await ask('callout.v1.actor.monitor.me.leave', { token })).toMatchObject({ ok: true });
    expect(await ask(call('hangup'), { token: rig.token })).toMatchObject({ ok: true, data: { requestId } });
  });
});

describe('outages [D2.7, D9.6, OCS 4.12 rule 5]', () => {
  test('the switch: 502; a call whose snapshot is gone: 410; the cache: 503', async () => {
    const { calls } = await liveCalls(1);
    const { requestId = '', callKey = '', attemptId = 0 } = calls[0] ?? {};
    await rig.simulator.close();
    await waitUntil('the switch to be down', async () => (await post(`/api/live-calls/${callKey}/hangup`)).status === 502);

    await rig.server.internal('POST', '/api/call-results', { requestId, callStatus: 'completed' });
    await rig.server.running.context.redis.run(async redis => {
      const keys = (await redis.keys('*')).filter(key => key.includes(requestId));
      await redis.del(...keys);
    });
    expect((await post(`/api/live-calls/attempt:${attemptId}/intervene`)).status).toBe(410);

    await rig.server.running.context.redis.close();
    for (const [method, path] of [
      ['GET', '/api/live-calls'],
      ['POST', '/api/live-monitor/heartbeat'],
      ['POST', `/api/live-calls/${callKey}/intervene`],
      ['GET', '/api/live-calls/events'],
    ] as const)
      expect([path, (await rig.api(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([path, 503]);
  });
});
