import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor, connectClient, follow } from '../graphql/graphql-client.ts';

let rig: ConferenceRig;
let supervisor: string;

beforeAll(async () => {
  rig = await startConferenceRig();
  supervisor = await rig.server.loginAs('supervisor');
}, 120_000);
afterAll(() => rig?.close());
beforeEach(() => rig.sendAgentsHome());

const board = async (query = '') => (await rig.server.api('GET', `/api/agent-board${query}`, undefined, supervisor)).data;
// Tests read rows of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
const rowOf = async (agentId: number): Promise<any> =>
  (await board()).rows.find((row: { agent: { id: number } | null }) => row.agent?.id === agentId);

const BOARD = `query($groupId: ID, $page: Int, $pageSize: Int) { agentBoard(groupId: $groupId, page: $page, pageSize: $pageSize) {
  rows { agent { databaseId activity { state } } monitor { userId displayName capacity watched }
    call { callKey attemptId softphoneCallId campaignId contactId customerName phoneNumber }
    day { callsHandled talkSeconds wrapUpSeconds occupancy } }
  total groups { groupId name idle busy ringing talking wrapUp offline capacity watched }
  staffing { arrivals handled averageTalkSeconds averageWrapUpSeconds agentsOnDuty lacks outlooks { agents allBusy waits waitSeconds } } } }`;

describe('rows [D12.11]', () => {
  test('an agent on a call has its customer and its day; GraphQL gives the same', async () => {
    const agent = await rig.agent();
    const customer = await rig.customer();
    const { data } = await rig.route(customer, { agentId: agent.id });
    await rig.untilLive(Number(data.conferenceId));
    await rig.server.running.context.database.run(sql`
      update contact set customer_name = '王女士' from attempt a where a.id = ${customer.attemptId} and contact.id = a.contact_id`);
    const row = await rowOf(agent.id);
    expect(row).toMatchObject({
      agent: { id: agent.id, activity: { state: 'talking' } },
      call: {
        callKey: `attempt:${customer.attemptId}`,
        attemptId: customer.attemptId,
        softphoneCallId: null,
        campaignId: customer.campaignId,
        customerName: '王女士',
        phoneNumber: expect.stringMatching(/^137/),
      },
      day: { callsHandled: 1, wrapUpSeconds: 0 },
    });
    const { agentBoard } = await askFor(rig.server, supervisor, BOARD);
    const same = agentBoard.rows.find((each: { agent: { databaseId: string } }) => each.agent?.databaseId === String(agent.id));
    expect(same.agent.activity.state).toBe('TALKING');
    expect({ ...same.call, attemptId: Number(same.call.attemptId), campaignId: Number(same.call.campaignId) }).toEqual({
      ...row.call,
      contactId: String(row.call.contactId),
    });
    expect(Object.keys(same.day).toSorted()).toEqual(Object.keys(row.day).toSorted());
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
    await waitUntil('the call to be over', async () => (await rowOf(agent.id)).call === null);
    expect((await rowOf(agent.id)).day.callsHandled).toBe(1);
  });

  test('a call that the agent placed has its own record', async () => {
    const agent = await rig.agent();
    const { id: campaignId } = await rig.campaign();
    const body = { phoneNumber: '13155550001', campaignId };
    const { data } = await rig.server.api('POST', `/api/agents/${agent.id}/manual-calls`, body, agent.token);
    const { call } = await waitUntil('the row to have the call', async () => {
      const row = await rowOf(agent.id);
      return row.call === null ? null : row;
    });
    expect(call).toMatchObject({ softphoneCallId: data.softphoneCallId, attemptId: null, campaignId, phoneNumber: '13155550001' });
    await waitUntil('the two to be joined', () => rig.simulator.isBridged(String(data.requestId)));
    rig.simulator.hangUp(String(data.requestId));
    await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
  });

  test('a monitor has its capacity, beside its agent or as a row of its own', async () => {
    const agent = await rig.agent();
    await rig.server.api('POST', '/api/live-monitor/heartbeat', { tabId: 'a' }, agent.token);
    await rig.server.api('POST', '/api/live-monitor/heartbeat', { tabId: 'a' }, supervisor);
    expect((await rowOf(agent.id)).monitor).toMatchObject({ userId: agent.userId, capacity: 5, watched: 0 });
    const { rows, total } = await board();
    expect(total).toBe(rows.length);
    expect(rows.at(-1)).toMatchObject({ agent: null, monitor: { capacity: 0 }, call: null, day: null });
    await rig.server.api('DELETE', '/api/live-monitor/presence', undefined, agent.token);
    await rig.server.api('DELETE', '/api/live-monitor/presence', undefined, supervisor);
    expect((await rowOf(agent.id)).monitor).toBeNull();
  });

  test('pages are bounded, and a group narrows the rows but not the loads', async () => {
    const agent = await rig.agent();
    await rig.agent();
    const { group } = (await rig.server.api('POST', '/api/agent-groups', { name: '看板组' }, supervisor)).data;
    await rig.server.api('PATCH', `/api/agents/${agent.id}`, { groupId: group.id }, supervisor);
    const narrowed = await board(`?groupId=${group.id}`);
    expect(narrowed.rows.map((row: { agent: { id: number } }) => row.agent.id)).toEqual([agent.id]);
    expect(narrowed.groups).toContainEqual(expect.objectContaining({ groupId: group.id, name: '看板组', idle: 1, capacity: 0 }));
    expect(narrowed.groups.at(-1)).toMatchObject({ groupId: null });
    const { total } = await board();
    const second = await board('?page=2&pageSize=1');
    expect([second.rows.length, second.total]).toEqual([1, total]);
    for (const query of ['?pageSize=501', '?pageSize=0', '?page=0', '?groupId=x'])
      expect((await rig.server.api('GET', `/api/agent-board${query}`, undefined, supervisor)).status).toBe(400);
    expect((await rig.server.api('GET', '/api/agent-board', undefined, agent.token)).status).toBe(403);
  });
});

describe('a call that is moved [D12.6]', () => {
  test('goes to a free agent of the group, and is refused where none is', async () => {
    const [talker, member] = [await rig.agent(), await rig.agent()];
    const newGroup = async (name: string) => {
      const { data } = await rig.server.api('POST', '/api/agent-groups', { name }, supervisor);
      return Number(data.group.id);
    };
    const [staffed, empty] = [await newGroup('接转组'), await newGroup('空组')];
    await rig.server.api('PATCH', `/api/agents/${member.id}`, { groupId: staffed }, supervisor);
    const customer = await rig.customer();
    const conferenceId = Number((await rig.route(customer, { agentId: talker.id })).data.conferenceId);
    await rig.untilLive(conferenceId);
    const move = (target: object) =>
      rig.server.api('POST', `/api/conference-sessions/${conferenceId}/participants`, { mode: 'blind', ...target }, supervisor);
    expect((await move({ groupId: staffed, targetNumber: '13155550002' })).status).toBe(400);
    expect(await move({ groupId: empty })).toMatchObject({ status: 409, msg: expect.stringContaining('没有空闲坐席') });
    expect((await move({ groupId: staffed })).data.leg.agentId).toBe(member.id);
    await waitUntil('the member to talk', async () => (await rig.stageOf(member.id)) === 'talking');
    await rig.lose(customer.requestId, 'NORMAL_CLEARING');
  });
});

describe('how likely a needed agent is busy [D12.11]', () => {
  test('is said from five calls of the last hour on, each counted once, and never from none that was handled', async () => {
    const { database } = rig.server.running.context;
    const before = (await board()).staffing;
    expect(before).toMatchObject({ lacks: before.arrivals < 5 ? 'arrivals' : null });
    const customer = await rig.customer();
    const alerts = (count: number) =>
      database.run(sql`
        insert into runtime_event (level, type, title, attempt_id)
        select 'warning', 'intent.alert', '客户提到了关键词', ${customer.attemptId} from generate_series(1, ${count}::int)`);
    await alerts(3);
    const { staffing: once } = await board();
    expect(once.arrivals).toBe(before.arrivals + 1);
    await database.run(sql`
      insert into conference_session (conference_name, kind, status, attempt_id, customer_state, created_at, ended_at)
      select 'board-' || n, 'transfer', 'ended', ${customer.attemptId}, 'gone', now() - interval '2 hours', now() - interval '2 hours'
      from generate_series(1, 5) n`);
    expect((await board()).staffing.arrivals).toBe(once.arrivals);
    const agent = await rig.agent();
    for (let count = 0; count < 5; count += 1) {
      const next = await rig.customer();
      const { data, msg } = await rig.route(next, { agentId: agent.id });
      expect(msg).toBe('ok');
      await rig.untilLive(Number(data.conferenceId));
      await rig.lose(next.requestId, 'NORMAL_CLEARING');
      await rig.untilEnded(Number(data.conferenceId));
      await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
    }
    const { staffing } = await waitUntil('the calls to be over', async () => {
      const found = await board();
      return found.staffing.handled >= before.handled + 5 ? found : null;
    });
    expect(staffing).toMatchObject({ lacks: null, agentsOnDuty: 1, arrivals: once.arrivals + 5, averageWrapUpSeconds: 0 });
    expect(staffing.outlooks.map((outlook: { agents: number }) => outlook.agents)).toEqual([0, 1, 2]);
    expect(staffing.outlooks[0]).toMatchObject({ allBusy: 1, waits: 1, waitSeconds: null });
    const { agentBoard } = await askFor(rig.server, supervisor, BOARD);
    expect(agentBoard.staffing).toMatchObject({ lacks: null, agentsOnDuty: 1, arrivals: staffing.arrivals });
    expect(agentBoard.staffing.outlooks).toHaveLength(3);
  }, 120_000);
});

describe('a message to an agent [D12.11]', () => {
  const SEND = `mutation($id: ID!, $text: String!) { sendAgentMessage(id: $id, text: $text) {
    __typename ... on AgentMessage { messageId agentId text sentBy readAt } ... on Refusal { reason field } } }`;
  const READ = 'mutation($id: ID!) { markMessageRead(messageId: $id) { __typename ... on AgentMessage { messageId readAt } } }';
  const MINE = `subscription { myMessages { __typename ... on MyMessagesSnapshot { messages { text } }
    ... on MyMessagesChanged { messages { messageId text sentBy } } } }`;
  type Told = { __typename: string; messages: { messageId: string; text: string }[] };

  test('reaches the desk of its user alone at once, and stays until it is read', async () => {
    const [agent, other] = [await rig.agent(), await rig.agent()];
    const [mine, others] = [connectClient(rig.server, agent.token), connectClient(rig.server, other.token)];
    const desk = follow<Told>(mine.client, MINE, 'myMessages');
    const otherDesk = follow<Told>(others.client, MINE, 'myMessages');
    await Promise.all([desk, otherDesk].map(each => each.until('a snapshot', ({ __typename }) => __typename === 'MyMessagesSnapshot')));
    const { data } = await rig.server.api('POST', `/api/agents/${agent.id}/message`, { text: ' 请先接回访 ' }, supervisor);
    expect(data.message).toMatchObject({ agentId: agent.id, text: '请先接回访', sentBy: expect.any(String), readAt: null });
    const told = await desk.until('the message', ({ messages }) => messages.some(({ text }) => text === '请先接回访'));
    expect(told.messages).toHaveLength(1);
    const { sendAgentMessage } = await askFor(rig.server, supervisor, SEND, { id: String(agent.id), text: '第二条' });
    expect(sendAgentMessage).toMatchObject({ __typename: 'AgentMessage', agentId: String(agent.id), text: '第二条' });
    await desk.until('both, newest first', ({ messages }) => messages[0]?.text === '第二条' && messages.length === 2);
    const read = (token: string) => rig.server.api('POST', `/api/agents/me/messages/${data.message.id}/read`, undefined, token);
    expect((await read(other.token)).status).toBe(404);
    const first = await read(agent.token);
    expect(first.data.message.readAt).toEqual(expect.any(String));
    expect((await read(agent.token)).data.message.readAt).toBe(first.data.message.readAt);
    await desk.until('the other one alone', ({ messages }) => messages.length === 1 && messages[0]?.text === '第二条');
    const { markMessageRead } = await askFor(rig.server, agent.token, READ, { id: sendAgentMessage.messageId });
    expect(markMessageRead).toMatchObject({ __typename: 'AgentMessage', readAt: expect.any(String) });
    await desk.until('none', ({ __typename, messages }) => __typename === 'MyMessagesChanged' && messages.length === 0);
    expect(otherDesk.events).toHaveLength(1);
    desk.stop();
    otherDesk.stop();
    await Promise.all([mine.client.dispose(), others.client.dispose()]);
  });

  test('is refused where nobody would read it, beyond 200 characters, and from agents', async () => {
    const agent = await rig.agent();
    const send = (id: number, text: string, token = supervisor) => rig.server.api('POST', `/api/agents/${id}/message`, { text }, token);
    expect((await send(agent.id, '长'.repeat(200))).status).toBe(200);
    expect((await send(agent.id, '长'.repeat(201))).status).toBe(400);
    expect((await send(agent.id, ' ')).status).toBe(400);
    expect((await send(agent.id, '你好', agent.token)).status).toBe(403);
    expect((await send(999_999, '你好')).status).toBe(404);
    const { agent: unbound } = (await rig.server.api('POST', '/api/agents', { name: '无人' }, supervisor)).data;
    expect(await send(unbound.id, '你好')).toMatchObject({ status: 409, data: null });
    const { sendAgentMessage } = await askFor(rig.server, supervisor, SEND, { id: String(unbound.id), text: '你好' });
    expect(sendAgentMessage).toMatchObject({ __typename: 'AgentWithoutUser', reason: 'AGENT_WITHOUT_USER' });
  });

  test('is in the audit log with its words', async () => {
    const agent = await rig.agent();
    await rig.server.api('POST', `/api/agents/${agent.id}/message`, { text: '辛苦了' }, supervisor);
    const { rows } = (await rig.server.api('GET', '/api/audit-logs?action=agent.message_sent&pageSize=50', undefined, supervisor)).data;
    expect(rows).toContainEqual(expect.objectContaining({ targetId: String(agent.id), detail: { text: '辛苦了' } }));
  });
});
