import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { connectClient, follow, type Watched } from './graphql-client.ts';
import { ask, provesStream, type Question, type Told } from './stream-proof.ts';

const BUSINESSES = [
  { businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true },
  { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true },
];

let rig: ConferenceRig;
let runtime: SoftphoneRuntime;
beforeAll(async () => {
  rig = await startConferenceRig({ businesses: BUSINESSES });
  runtime = await startSoftphoneRuntime(rig.server);
});
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

const proves = (question: Question, change: () => Promise<unknown>, isDelta: (told: Told) => unknown) =>
  provesStream(rig.server, { token: rig.token, ...question }, { change, isDelta });

/** The error that ends a subscription. */
async function refusalOf(question: Question): Promise<unknown> {
  const { client } = connectClient(rig.server, question.token ?? rig.token);
  const watched: Watched<Told> = follow<Told>(client, ask(question), question.field);
  await waitUntil('the refusal', () => watched.isOver());
  await client.dispose();
  return (watched.failures[0] as { extensions?: { code: string } }).extensions?.code;
}

const OVERVIEW = 'overview { contacts { total } agents { idle busy offline } }';
const overview: Question = {
  field: 'overview',
  selection: `... on OverviewSnapshot { cursor ${OVERVIEW} } ... on OverviewChanged { cursor ${OVERVIEW} }`,
};
const AGENT = 'agent { id: databaseId name status registrationStatus groupId }';
const agentStatuses: Question = {
  field: 'agentStatuses',
  selection: `... on AgentStatusesSnapshot { cursor agents { id: databaseId status } } ... on AgentStatusChanged { cursor ${AGENT} } ... on AgentLeft { cursor agentId }`,
};
const DESK = 'viewMode call { callKey status monitorAssignment { userId } }';
const CAPACITY = 'capacity { mine used total waiting }';
const monitorBoard: Question = {
  field: 'monitorBoard',
  selection: `... on MonitorBoardSnapshot { cursor calls { ${DESK} } ${CAPACITY} } ... on MonitorBoardCallJoined { cursor watched { ${DESK} } }
    ... on MonitorBoardCallChanged { cursor watched { ${DESK} } } ... on MonitorBoardCallLeft { cursor callKey } ... on MonitorCapacityChanged { cursor ${CAPACITY} }`,
};
const ALERT = 'alert { id: databaseId callKey campaignId keyword segmentId acknowledgedAt acknowledgedBy: acknowledgedById }';
const intentAlerts: Question = {
  field: 'intentAlerts',
  selection: `... on IntentAlertsSnapshot { cursor alerts { id: databaseId callKey keyword } } ... on IntentAlertRaised { cursor ${ALERT} }
    ... on IntentAlertAcknowledged { cursor ${ALERT} }`,
};
const CALLBACKS = 'cursor totalCount callbacks { note status contact { phoneNumber } }';
const callbacksOf = (campaignId: number): Question => ({
  field: 'callbacks',
  args: `filter: { campaignId: ${campaignId}, status: PROMISED }, first: 1`,
  selection: `... on CallbacksSnapshot { ${CALLBACKS} } ... on CallbacksChanged { ${CALLBACKS} }`,
});
const CONFERENCE = 'conference { id: databaseId status customerState legs { role status } }';
const conferenceOf = (id: number): Question => ({
  field: 'conference',
  args: `id: ${id}`,
  selection: `... on ConferenceSnapshot { cursor ${CONFERENCE} } ... on ConferenceChanged { cursor ${CONFERENCE} }`,
});
const softphoneOf = (sessionId: string): Question => ({
  field: 'softphoneSession',
  args: `sessionId: ${JSON.stringify(sessionId)}`,
  selection: `... on SoftphoneSessionSnapshot { cursor session { sessionId isOpen call { note } } events { kind } }
    ... on SoftphoneEventRecorded { cursor event { id: databaseId kind data } } ... on SoftphoneSessionChanged { cursor session { isOpen call { note } } }`,
});

async function succeed(method: string, path: string, body?: unknown, token = rig.token): Promise<void> {
  const answer = await rig.server.api(method, path, body, token);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
}

const setStatus = (agent: TestAgent, status: string) => succeed('PATCH', `/api/agents/${agent.id}/status`, { status });
const beat = (agent: TestAgent, campaignId: number) =>
  rig.server.api('POST', '/api/live-monitor/heartbeat', { campaignId, tabId: 'tab-1' }, agent.token);

let from = 13_100_000_000;

/** An answered call of a monitored campaign, with a campaign of its own. */
async function monitoredCall(): Promise<{ campaignId: number; requestId: string; attemptId: number }> {
  from += 1_000_000;
  const businessConfig = { monitoringMode: 'elastic', intentKeywords: ['投诉', '转人工'] };
  const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(1, from) });
  await rig.start(id);
  const attempt = await waitUntil('the answer', async () => (await rig.attempts(id)).find(row => row.status === 'answered'));
  return { campaignId: id, requestId: attempt.requestId, attemptId: attempt.id };
}

/** A monitor with the call assigned to them. */
async function monitorOf({ campaignId, requestId }: { campaignId: number; requestId: string }): Promise<TestAgent> {
  const agent = await rig.agent();
  await waitUntil('the call to be given', async () => {
    const { data } = await beat(agent, campaignId);
    return (data.assigned as string[]).includes(`request:${requestId}`);
  });
  return agent;
}

const say = (requestId: string, segmentId: string, text: string) =>
  rig.server.internal('POST', '/api/call-progress', { requestId, kind: 'segment', segment: { segmentId, speaker: 'customer', text } });

describe('overview [OCS 4.1]', () => {
  test('snapshot, delta, resume, resync', async () => {
    const { first, delta } = await proves(
      overview,
      () => rig.campaign({ contacts: numbers(3, 13_000_000_000) }),
      told => told['overview']?.contacts.total >= 3,
    );
    expect(first).toMatchObject({ __typename: 'OverviewSnapshot', overview: { contacts: { total: expect.any(Number) } } });
    expect(delta.__typename).toBe('OverviewChanged');
  });
});

describe('callbacks [D7.12]', () => {
  test('snapshot, delta, resume, resync: a promise, and those that are due first of several', async () => {
    const { id } = await rig.campaign({ contacts: numbers(2, 13_050_000_000) });
    const [later, earlier] = (await rig.ask('GET', `/api/campaigns/${id}/contacts`)).data.rows;
    const promise = (contact: { id: number }, hours: number, note: string) =>
      succeed('POST', `/api/campaigns/${id}/contacts/${contact.id}/callback`, {
        dueAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
        note,
      });
    const { first, delta } = await proves(
      callbacksOf(id),
      async () => {
        await promise(later, 5, '第二个');
        await promise(earlier, 4, '第一个');
      },
      told => told['totalCount'] === 2,
    );
    expect(first).toMatchObject({ __typename: 'CallbacksSnapshot', callbacks: [], totalCount: 0 });
    expect(delta).toMatchObject({
      __typename: 'CallbacksChanged',
      callbacks: [{ note: '第一个', status: 'PROMISED', contact: { phoneNumber: earlier.phoneNumber } }],
    });
  });

  test.each([0, 1_001])('%i callbacks are refused', async count => {
    const { args, ...question } = callbacksOf(1);
    expect(await refusalOf({ ...question, args: args?.replace('first: 1', `first: ${count}`) ?? '' })).toBe('INVALID_ARGUMENT');
  });
});

describe('agentStatuses [OCS 2.13, 4.13]', () => {
  test('snapshot, delta, resume, resync', async () => {
    const agent = await rig.agent();
    const { first, delta } = await proves(
      agentStatuses,
      () => setStatus(agent, 'busy'),
      told => told['agent']?.id === String(agent.id) && told['agent'].status === 'BUSY',
    );
    expect(first).toMatchObject({ __typename: 'AgentStatusesSnapshot' });
    expect(first['agents']).toContainEqual({ id: String(agent.id), status: 'IDLE' });
    expect(delta).toMatchObject({ __typename: 'AgentStatusChanged', agent: { status: 'BUSY' } });
  });

  test('a filter shows the agents of one group, including those who join and leave it', async () => {
    const group = async (name: string) => Number((await rig.server.api('POST', '/api/agent-groups', { name }, rig.token)).data.group.id);
    const [ours, theirs] = [await group('甲组'), await group('乙组')];
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const move = (id: number, groupId: number) => succeed('PATCH', `/api/agents/${id}`, { groupId });
    const { client } = connectClient(rig.server, rig.token);
    const watched = follow<Told>(client, ask({ ...agentStatuses, args: `filter: { groupId: ${ours} }` }), 'agentStatuses');
    expect(await watched.until('the snapshot', () => true)).toMatchObject({ agents: [] });
    await move(other.id, theirs);
    await move(agent.id, ours);
    await watched.until('the newcomer', told => told['agent']?.id === String(agent.id));
    await move(agent.id, theirs);
    await watched.until('the leaver', told => told['agentId'] === String(agent.id));
    expect(watched.events.map(({ __typename }) => __typename)).toEqual(['AgentStatusesSnapshot', 'AgentStatusChanged', 'AgentLeft']);
    await client.dispose();
  });
});

describe('monitorBoard [OCS 4.12, D9.4]', () => {
  test('snapshot, delta, resume, resync: an assigned call, the capacity that it takes, and its release', async () => {
    const agent = await rig.agent();
    let callKey = '';
    const { first, delta } = await proves(
      { ...monitorBoard, token: agent.token },
      async () => {
        const { campaignId, requestId } = await monitoredCall();
        callKey = `request:${requestId}`;
        await waitUntil('the call to be given', async () => (await beat(agent, campaignId)).data.assigned.includes(callKey));
      },
      told => told['watched']?.call.callKey === callKey,
    );
    expect(first).toMatchObject({ __typename: 'MonitorBoardSnapshot', calls: [], capacity: { mine: expect.any(Number) } });
    expect(delta).toMatchObject({
      __typename: 'MonitorBoardCallJoined',
      watched: { viewMode: 'ACTIVE', call: { callKey, monitorAssignment: { userId: String(agent.userId) } } },
    });
    const { client } = connectClient(rig.server, agent.token);
    const watched = follow<Told>(client, ask(monitorBoard), 'monitorBoard');
    await watched.until('the call', told => told['calls']?.length === 1);
    await rig.server.api('DELETE', '/api/live-monitor/presence', undefined, agent.token);
    await watched.until('the release', told => told.__typename === 'MonitorBoardCallLeft' && told['callKey'] === callKey);
    await watched.until('the room', told => told.__typename === 'MonitorCapacityChanged' && told['capacity'].mine === 0);
    await client.dispose();
  });
});

describe('intentAlerts [OCS 4.12, D9.3]', () => {
  test('snapshot, delta, resume, resync; and who acknowledged it', async () => {
    const call = await monitoredCall();
    const { first, delta } = await proves(
      { ...intentAlerts, args: `filter: { campaignId: ${call.campaignId} }` },
      () => say(call.requestId, 's1', '我要投诉你们'),
      told => told.__typename === 'IntentAlertRaised',
    );
    expect(first).toMatchObject({ __typename: 'IntentAlertsSnapshot', alerts: [] });
    expect(delta['alert']).toMatchObject({
      callKey: `request:${call.requestId}`,
      campaignId: String(call.campaignId),
      keyword: '投诉',
      segmentId: 's1',
      acknowledgedAt: null,
    });
    const { client } = connectClient(rig.server, rig.token);
    const watched = follow<Told>(client, ask(intentAlerts), 'intentAlerts');
    await watched.until('the alert', told => told['alerts']?.some((alert: { id: string }) => alert.id === delta['alert'].id));
    await succeed('PATCH', `/api/runtime/events/${delta['alert'].id}/acknowledge`);
    const seen = await watched.until('the acknowledgement', told => told.__typename === 'IntentAlertAcknowledged');
    expect(seen['alert']).toMatchObject({ id: delta['alert'].id, acknowledgedAt: expect.stringMatching(/Z$/) });
    await client.dispose();
  });

  test('an agent sees the alerts of their own calls only', async () => {
    const [mine, others] = [await monitoredCall(), await monitoredCall()];
    const agent = await monitorOf(mine);
    const { client } = connectClient(rig.server, agent.token);
    const watched = follow<Told>(client, ask(intentAlerts), 'intentAlerts');
    expect(await watched.until('the snapshot', () => true)).toMatchObject({ alerts: [] });
    await say(others.requestId, 's1', '我要投诉');
    await say(mine.requestId, 's1', '请转人工');
    await watched.until('the alert', told => told['alert']?.keyword === '转人工');
    expect(watched.events.slice(1).map(told => told['alert'].callKey)).toEqual([`request:${mine.requestId}`]);
    await client.dispose();
  });
});

describe('the import of a file [OCS 4.7]', () => {
  test('from the first byte of the file to its result', async () => {
    const { id } = await rig.campaign({});
    const importId = randomUUID();
    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\n13800138001\r\n--b--\r\n';
    const { hostname, port } = new URL(rig.server.url);
    const socket = connect(Number(port), hostname);
    const heads = [
      `POST /api/campaigns/${id}/import-files?importId=${importId} HTTP/1.1`,
      `Host: x`,
      `Authorization: Bearer ${rig.token}`,
      `Content-Length: ${form.length}`,
      'Content-Type: multipart/form-data; boundary=b',
    ];
    socket.write(`${heads.join('\r\n')}\r\n\r\n${form.slice(0, 40)}`);
    const path = `/api/campaigns/${id}/import-files/${importId}`;
    await waitUntil('the import to begin', async () => (await rig.server.api('GET', path, undefined, rig.token)).status === 200);
    const { client } = connectClient(rig.server, rig.token);
    const shown = 'import { stage totalRows error result { createdRows } }';
    const question = {
      field: 'fileImport',
      args: `campaignId: ${id}, importId: "${importId}"`,
      selection: `... on FileImportSnapshot { cursor ${shown} } ... on FileImportChanged { cursor ${shown} }`,
    };
    const watched = follow<Told>(client, ask(question), 'fileImport');
    await watched.until('the snapshot', told => told['import']?.stage === 'RECEIVING');
    socket.write(form.slice(40));
    await waitUntil('the end of the stream', () => watched.isOver());
    const over = { stage: 'DONE', totalRows: 1, error: null, result: { createdRows: 1 } };
    expect(watched.events.at(-1)).toMatchObject({ __typename: 'FileImportChanged', import: over });
    await client.dispose();
    socket.destroy();
    expect(await refusalOf({ ...question, args: `campaignId: ${id}, importId: "${randomUUID()}"` })).toBe('NOT_FOUND');
  });
});

describe('conference [OCS 4.15]', () => {
  test('snapshot, delta, resume, resync, and the end', async () => {
    await rig.agent();
    const customer = await rig.customer();
    const { data } = await rig.route(customer);
    const question = conferenceOf(Number(data.conferenceId));
    await rig.untilLive(Number(data.conferenceId));
    const watching = connectClient(rig.server, rig.token);
    const watched = follow<Told>(watching.client, ask(question), 'conference');
    await watched.until('the snapshot', told => told.__typename === 'ConferenceSnapshot');
    const supervisor = await rig.agent();
    const { first, delta } = await proves(
      question,
      () =>
        rig.server.api(
          'POST',
          `/api/conference-sessions/${data.conferenceId}/participants`,
          { mode: 'listen', agentId: supervisor.id },
          rig.token,
        ),
      told => told['conference']?.legs.some((leg: { role: string }) => leg.role === 'SUPERVISOR'),
    );
    expect(first).toMatchObject({ __typename: 'ConferenceSnapshot', conference: { id: String(data.conferenceId), status: 'LIVE' } });
    expect(delta.__typename).toBe('ConferenceChanged');
    await rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
    await waitUntil('the end of the stream', () => watched.isOver());
    expect(watched.events.at(-1)).toMatchObject({ __typename: 'ConferenceChanged', conference: { status: 'ENDED' } });
    expect(watched.failures).toEqual([]);
    await watching.client.dispose();
    const late = connectClient(rig.server, rig.token);
    const over = follow<Told>(late.client, ask(question), 'conference');
    await waitUntil('the end', () => over.isOver());
    expect(over.events.map(({ __typename }) => __typename)).toEqual(['ConferenceSnapshot']);
    await late.client.dispose();
  });

  test('an unknown one is NOT_FOUND', async () => {
    expect(await refusalOf(conferenceOf(999_999))).toBe('NOT_FOUND');
  });
});

describe('softphoneSession [OCS 4.14]', () => {
  const open = async (agent: TestAgent) => (await rig.server.api('POST', '/api/softphone-sessions', { note: '一' }, agent.token)).data;

  test('snapshot, delta, resume, resync, and the end; then GONE', async () => {
    const agent = await rig.agent();
    const { sessionId } = await open(agent);
    const question = { ...softphoneOf(sessionId), token: agent.token };
    const { client } = connectClient(rig.server, agent.token);
    const watched = follow<Told>(client, ask(question), 'softphoneSession');
    await watched.until('the snapshot', () => true);
    const { first, delta } = await proves(
      question,
      () => succeed('POST', `/api/softphone-sessions/${sessionId}/notes`, { note: '二' }, agent.token),
      told => told['session']?.call.note === '二',
    );
    expect(first).toMatchObject({ __typename: 'SoftphoneSessionSnapshot', session: { sessionId, isOpen: true, call: { note: '一' } } });
    expect(delta.__typename).toBe('SoftphoneSessionChanged');
    await rig.server.api('POST', `/api/softphone-sessions/${sessionId}/end`, undefined, agent.token);
    await waitUntil('the end of the stream', () => watched.isOver());
    const told = watched.events.filter(event => event.__typename === 'SoftphoneEventRecorded');
    expect(told.at(-1)).toMatchObject({ event: { kind: 'SESSION', data: { status: 'ended' } } });
    expect(watched.events.at(-1)).toMatchObject({ __typename: 'SoftphoneSessionChanged', session: { isOpen: false } });
    expect(watched.failures).toEqual([]);
    await client.dispose();
    expect(await refusalOf(question)).toBe('GONE');
  });

  test('an agent sees only their own', async () => {
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const { sessionId } = await open(agent);
    expect(await refusalOf({ ...softphoneOf(sessionId), token: other.token })).toBe('FORBIDDEN');
    expect(await refusalOf({ ...softphoneOf('7b6a0f6e-0000-4000-8000-000000000000'), token: agent.token })).toBe('NOT_FOUND');
    await rig.server.api('POST', `/api/softphone-sessions/${sessionId}/end`, undefined, agent.token);
  });
});

describe('permissions of subscriptions [OCS 2.3, D3.2]', () => {
  test('an agent may not watch conferences', async () => {
    const agent = await rig.agent();
    expect(await refusalOf({ ...conferenceOf(1), token: agent.token })).toBe('FORBIDDEN');
  });

  test.each([
    ['a logout', (agent: TestAgent) => rig.server.api('POST', '/api/auth/logout', undefined, agent.token)],
    ['another role', (agent: TestAgent) => rig.server.api('PATCH', `/api/users/${agent.userId}`, { role: 'supervisor' }, rig.token)],
  ])('%s ends every stream of the session with 4440', async (_what, end) => {
    const agent = await rig.agent();
    const { client, closed } = connectClient(rig.server, agent.token);
    const questions = [overview, agentStatuses, monitorBoard, intentAlerts];
    const watched = questions.map(question => follow<Told>(client, ask(question), question.field));
    for (const { until } of watched) await until('the snapshot', () => true);
    expect((await end(agent)).status).toBe(200);
    expect(await waitUntil('the socket to close', closed)).toEqual({ code: 4440, reason: 'Session ended' });
    for (const { isOver } of watched) await waitUntil('the end', isOver);
  });
});
