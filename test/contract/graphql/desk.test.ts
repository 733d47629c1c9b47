import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { startAgentRig, type AgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody, numbers } from '#test/support/dispatch-rig.ts';
import { poolMember, poolOf } from '#test/support/pool-members.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ask } from './graphql-client.ts';

/** Customers stay on the line for longer than the tests take. */
const WORLD = everybody('answer', { talkMs: { minMs: 900_000, maxMs: 900_000 } });
const businesses = [
  { businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true },
  { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true },
];
const REFUSAL = '... on Refusal { code reason message field }';

let rig: AgentRig;
let supervisor: string;

beforeAll(async () => {
  rig = await startAgentRig({ world: WORLD, config: { businesses } });
  supervisor = await rig.server.loginAs('supervisor');
}, 120_000);
afterAll(() => rig?.close());

// oxlint-disable-next-line typescript/no-explicit-any
async function run(query: string, variables: object = {}, token = rig.token): Promise<any> {
  const { data, errors } = await ask(rig.server, token, query, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data;
}

const fault = async (query: string, variables: object, token = rig.token) => (await ask(rig.server, token, query, variables)).errors[0];
const audited = async (targetType: string, targetId: string) => {
  const { data } = await rig.api('GET', '/api/audit-logs?pageSize=200');
  type Row = { targetType: string; targetId: string; action: string };
  return (data.rows as Row[]).filter(row => row.targetType === targetType && row.targetId === targetId).map(row => row.action);
};

describe('the roster [OCS 4.13, D12.1]', () => {
  const CREATE = `mutation($input: CreateAgentInput!) { createAgent(input: $input) {
    __typename ... on Agent { id: databaseId name phoneExtension isEnabled status registrationStatus groupId group { name } } ${REFUSAL} } }`;
  const UPDATE = `mutation($id: ID!, $input: UpdateAgentInput!) { updateAgent(id: $id, input: $input) {
    __typename ... on Agent { name isEnabled groupId } ${REFUSAL} } }`;
  const DELETE = `mutation($id: ID!) { deleteAgent(id: $id) { __typename ... on Agent { id: databaseId } ${REFUSAL} } }`;

  test('is created, changed and deleted as in REST, with its audit rows', async () => {
    const { createAgentGroup: group } = await run(
      'mutation { createAgentGroup(input: { name: "晚班" }) { __typename ... on AgentGroup { id: databaseId name description } } }',
    );
    expect(group).toEqual({ __typename: 'AgentGroup', id: expect.any(String), name: '晚班', description: '' });
    const { createAgent } = await run(CREATE, {
      input: { name: '王芳', phoneExtension: '6101', groupId: group.id, sipPassword: 'secret' },
    });
    expect(createAgent).toEqual({
      __typename: 'Agent',
      id: expect.any(String),
      name: '王芳',
      phoneExtension: '6101',
      isEnabled: true,
      status: 'OFFLINE',
      registrationStatus: 'UNREGISTERED',
      groupId: group.id,
      group: { name: '晚班' },
    });
    const { agents, agentGroups } = await run('{ agents { id: databaseId group { id: databaseId } } agentGroups { id: databaseId name } }');
    expect(agents).toContainEqual({ id: createAgent.id, group: { id: group.id } });
    expect(agentGroups).toContainEqual({ id: group.id, name: '晚班' });
    const inUse = await run(`mutation($id: ID!) { deleteAgentGroup(id: $id) { __typename ${REFUSAL} } }`, { id: group.id });
    expect(inUse.deleteAgentGroup).toEqual({
      __typename: 'AgentGroupInUse',
      code: 'CONFLICT',
      reason: 'AGENT_GROUP_IN_USE',
      message: expect.stringContaining('王芳'),
      field: null,
    });
    const { updateAgent } = await run(UPDATE, { id: createAgent.id, input: { name: '王小芳', isEnabled: false, groupId: null } });
    expect(updateAgent).toEqual({ __typename: 'Agent', name: '王小芳', isEnabled: false, groupId: null });
    const taken = await run(CREATE, { input: { name: '另一位', phoneExtension: '6101' } });
    expect(taken.createAgent).toMatchObject({ __typename: 'AgentTaken', reason: 'EXTENSION_TAKEN' });
    expect((await run(DELETE, { id: createAgent.id })).deleteAgent).toEqual({ __typename: 'Agent', id: createAgent.id });
    expect(await audited('agent', createAgent.id)).toEqual(['agent.deleted', 'agent.updated', 'agent.created']);
  });

  test('is refused with the messages of REST', async () => {
    expect((await run(CREATE, { input: { name: ' ' } })).createAgent).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'name' });
    expect((await run(CREATE, { input: { name: '甲', groupId: 'x' } })).createAgent).toMatchObject({ field: 'groupId' });
    expect((await run(UPDATE, { id: '999999', input: { name: '甲' } })).updateAgent).toMatchObject({ code: 'NOT_FOUND' });
    const agent = await rig.agent();
    expect(await fault(CREATE, { input: { name: '甲' } }, agent.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });

  test('an agent sees themselves, sets their status and gets their SIP settings; the list has no passwords [D12.2]', async () => {
    const agent = await rig.agent({ sipPassword: 'of-my-phone' });
    const { myAgent, mySipConfig, phoneStatuses, phoneExtensions, sipConfigs } = await run(
      `{ myAgent { id: databaseId status registrationStatus } mySipConfig { agentId phoneExtension password sipUri }
         phoneStatuses { agentId registrationStatus } phoneExtensions { phoneExtension switchReachable agentId } sipConfigs { agentId } }`,
      {},
      agent.token,
    );
    const agentId = String(agent.id);
    expect(myAgent).toEqual({ id: agentId, status: 'IDLE', registrationStatus: 'REGISTERED' });
    expect(mySipConfig).toMatchObject({ agentId, phoneExtension: agent.extension, password: 'of-my-phone' });
    expect(phoneStatuses).toContainEqual({ agentId, registrationStatus: 'REGISTERED' });
    expect(phoneExtensions).toContainEqual({ phoneExtension: agent.extension, switchReachable: true, agentId });
    expect(sipConfigs).toEqual([{ agentId }]);
    const SET = `mutation($status: AgentStatus!) { setMyStatus(status: $status) { __typename ... on Agent { status } ${REFUSAL} } }`;
    expect((await run(SET, { status: 'BUSY' }, agent.token)).setMyStatus).toEqual({ __typename: 'Agent', status: 'BUSY' });
    const other = await rig.agent({ phone: { isRegistered: false }, status: 'offline' });
    expect((await run(SET, { status: 'IDLE' }, other.token)).setMyStatus).toMatchObject({
      __typename: 'AgentStatusRefused',
      message: expect.stringContaining('未注册'),
    });
    const FOR = `mutation($id: ID!) { setAgentStatus(id: $id, status: OFFLINE) { __typename ... on Agent { status } } }`;
    expect(await fault(FOR, { id: agentId }, other.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect((await run(FOR, { id: agentId }, supervisor)).setAgentStatus).toEqual({ __typename: 'Agent', status: 'OFFLINE' });
    expect((await run('{ myAgent { id: databaseId } }', {}, supervisor)).myAgent).toBeNull();
  });
});

describe('calls of agents [OCS 4.13, D12.3]', () => {
  const PLACE = `mutation($id: ID!, $input: AgentCallInput!) { placeManualCall(agentId: $id, input: $input) {
    __typename ... on SoftphoneCall { id: databaseId direction status callKey agent { status } campaign { id: databaseId } } ${REFUSAL} } }`;

  test('are placed and listed; a listed number and a second call are typed refusals', async () => {
    const agent = await rig.agent();
    const { id } = await rig.campaign();
    const campaignId = String(id);
    const input = { phoneNumber: '13911110001', campaignId, note: '回访' };
    await rig.api('POST', '/api/dnc', { phoneNumber: '13911110009', reason: '客户要求' });
    const listed = await run(PLACE, { id: String(agent.id), input: { phoneNumber: '13911110009', campaignId } }, agent.token);
    expect(listed.placeManualCall).toMatchObject({
      __typename: 'CallRefused',
      reason: 'DO_NOT_CALL',
      message: expect.stringContaining('勿扰'),
    });
    const { placeManualCall: placed } = await run(PLACE, { id: String(agent.id), input }, agent.token);
    expect(placed).toMatchObject({
      __typename: 'SoftphoneCall',
      direction: 'MANUAL_CALL',
      status: 'CREATED',
      campaign: { id: campaignId },
    });
    const { placeManualCall: second } = await run(PLACE, { id: String(agent.id), input: { ...input, phoneNumber: '13911110002' } });
    expect(second).toMatchObject({ __typename: 'CallRefused', reason: 'AGENT_BUSY' });
    const ONE = `query($id: ID!) { softphoneCall(id: $id) { call { id: databaseId status note legs { role callUuid status } } timeline { kind } transcript { text } } }`;
    const found = await waitUntil('the customer to answer', async () => {
      const { softphoneCall } = await run(ONE, { id: placed.id }, agent.token);
      return softphoneCall.call.status === 'ANSWERED' ? softphoneCall : null;
    });
    expect(found.call).toMatchObject({ note: '回访', legs: [{ role: 'AGENT' }, { role: 'CUSTOMER' }] });
    const { softphoneCalls } = await run(
      'query($agentId: ID) { softphoneCalls(first: 5, agentId: $agentId) { totalCount nodes { id: databaseId } edges { cursor } } }',
      { agentId: String(agent.id) },
    );
    expect(softphoneCalls).toMatchObject({ totalCount: 1, nodes: [{ id: placed.id }] });
    const stranger = await rig.agent();
    expect(await fault(ONE, { id: placed.id }, stranger.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect((await run(ONE, { id: '999999' })).softphoneCall).toBeNull();
    rig.simulator.hangUp(found.call.legs[1].callUuid);
    await rig.untilStatusOf(agent.id, 'idle');
  });
});

describe('monitoring [OCS 4.12, D9]', () => {
  const DESK = `query($campaignId: ID!) { monitorBoard(filter: { campaignId: $campaignId }) {
    capacity { mine used total waiting } calls { callKey requestId phoneNumber status monitorViewMode intervention { status } } } }`;
  const BEAT =
    'mutation($campaignId: ID) { monitorHeartbeat(campaignId: $campaignId, tabId: "a") { ... on MonitorPresence { expiresAt capacity { mine } assigned } } }';
  const CLAIM = `mutation($callKey: ID!) { claimIntervention(callKey: $callKey) {
    __typename ... on InterventionChange { callKey intervention { status initiatorId } } ${REFUSAL} } }`;
  const CANCEL = CLAIM.replace('claimIntervention', 'cancelIntervention');
  const RELEASE = `mutation($callKey: ID!) { releaseLiveCall(callKey: $callKey) { __typename ... on ReleasedCall { callKey } ${REFUSAL} } }`;
  const HANG_UP = `mutation($callKey: ID!, $reason: String) { hangUpLiveCall(callKey: $callKey, reason: $reason) { __typename ... on HungUpCall { callKey hangupCause } ${REFUSAL} } }`;

  async function given(agent: TestAgent, count: number, from: number) {
    const businessConfig = { monitoringMode: 'elastic', intentKeywords: ['投诉'] };
    const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(count, from) });
    await rig.start(id);
    const campaignId = String(id);
    const calls = await waitUntil('the calls to be given', async () => {
      await run(BEAT, { campaignId }, agent.token);
      const { monitorBoard } = await run(DESK, { campaignId }, agent.token);
      type Shown = { callKey: string; requestId: string; phoneNumber: string; status: string };
      return (monitorBoard.calls as Shown[]).filter(call => call.status === 'LIVE').length === count
        ? (monitorBoard.calls as Shown[])
        : null;
    });
    return { campaignId, calls };
  }

  test('a monitor gets calls, claims one, cancels the claim, releases the call and leaves', async () => {
    const anna = await rig.agent();
    const { campaignId, calls } = await given(anna, 2, 13_811_110_000);
    const [first, second] = calls.map(({ callKey }) => ({ callKey }));
    const { monitorHeartbeat } = await run(BEAT, { campaignId }, anna.token);
    expect(monitorHeartbeat).toMatchObject({ capacity: { mine: 5 }, expiresAt: expect.stringMatching(/Z$/) });
    expect(monitorHeartbeat.assigned.toSorted()).toEqual(calls.map(({ callKey }) => callKey).toSorted());
    const { claimIntervention } = await run(CLAIM, first, anna.token);
    expect(claimIntervention).toEqual({
      __typename: 'InterventionChange',
      ...first,
      intervention: { status: 'REQUESTED', initiatorId: String(anna.userId) },
    });
    expect((await run(CLAIM, first, supervisor)).claimIntervention).toMatchObject({
      __typename: 'InterventionRefused',
      code: 'CONFLICT',
      reason: 'ALREADY_CLAIMED',
    });
    expect(await fault(CANCEL, first ?? {}, supervisor)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    await waitUntil('the other call to be retained', async () => {
      const { monitorBoard } = await run(DESK, { campaignId }, anna.token);
      return (monitorBoard.calls as { callKey: string; monitorViewMode: string }[]).some(
        call => call.callKey === second?.callKey && call.monitorViewMode === 'RETAINED',
      );
    });
    expect((await run(RELEASE, first, anna.token)).releaseLiveCall).toMatchObject({ __typename: 'ReleaseRefused', reason: 'INTERVENING' });
    expect((await run(CANCEL, first, anna.token)).cancelIntervention).toMatchObject({ intervention: { status: 'CANCELLED' } });
    expect((await run(RELEASE, first, anna.token)).releaseLiveCall).toEqual({ __typename: 'ReleasedCall', ...first });
    expect((await run('mutation { leaveMonitoring { released } }', {}, anna.token)).leaveMonitoring.released).not.toContain(first?.callKey);
    for (const call of [first, second]) {
      expect(await fault(HANG_UP, call ?? {}, anna.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
      expect((await run(HANG_UP, { ...call, reason: ' 客户要求 ' }, supervisor)).hangUpLiveCall).toEqual({
        __typename: 'HungUpCall',
        ...call,
        hangupCause: 'NORMAL_CLEARING',
      });
    }
    const tooLong = await run(HANG_UP, { ...first, reason: '长'.repeat(201) }, supervisor);
    expect(tooLong.hangUpLiveCall).toMatchObject({ __typename: 'InputRefused', field: 'reason' });
    const { rows } = (await rig.api('GET', `/api/audit-logs?q=${first?.callKey.slice('request:'.length)}`)).data;
    expect(rows[0]).toMatchObject({ action: 'call.hung_up', detail: { reason: '客户要求' } });
    const ROWS = 'query($filter: AuditLogFilter) { auditLogs(first: 50, filter: $filter) { nodes { targetType targetName } } }';
    const namesOf = async (filter: object) =>
      new Set((await run(ROWS, { filter })).auditLogs.nodes.map(({ targetName }: { targetName: string }) => targetName));
    expect(await namesOf({ targetType: 'call', targetId: calls[0]?.requestId })).toEqual(new Set([calls[0]?.phoneNumber]));
    expect(await namesOf({ targetType: 'agent', targetId: String(anna.id) })).toEqual(new Set([expect.stringMatching(/^坐席/)]));
    expect([...(await namesOf({ targetType: 'live_calls' }))].filter(name => name !== null)).toEqual([]);
    await waitUntil(
      'the call to be over',
      async () => (await run(HANG_UP, first, supervisor)).hangUpLiveCall.__typename === 'LiveCallOver',
    );
    const ENDS = 'query($id: ID!) { attempts(first: 5, filter: { campaignId: $id }) { nodes { requestId userHangup { by reason } } } }';
    const { attempts } = await run(ENDS, { id: campaignId });
    const byCall = new Map((attempts.nodes as { requestId: string }[]).map(node => [node.requestId, node]));
    expect(byCall.get(calls[0]?.requestId ?? '')).toMatchObject({
      userHangup: { by: expect.stringMatching(/^test-supervisor/), reason: '客户要求' },
    });
    const over = { __typename: 'LiveCallOver', reason: 'CALL_ENDED' };
    expect((await run(CLAIM, first, supervisor)).claimIntervention).toMatchObject(over);
    expect((await run(CANCEL, first, anna.token)).cancelIntervention).toMatchObject(over);
  });

  test('a malformed key of a call is refused by name; an unknown call is not found', async () => {
    expect((await run(CLAIM, { callKey: 'nonsense' })).claimIntervention).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'callKey' });
    expect((await run(CLAIM, { callKey: 'attempt:999999' })).claimIntervention).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a live call returns its course so far, with its captions; its alert is acknowledged', async () => {
    const ben = await rig.agent();
    const { campaignId, calls } = await given(ben, 1, 13_822_220_000);
    const [call] = calls;
    await rig.server.internal('POST', '/api/call-progress', {
      requestId: call?.requestId,
      kind: 'segment',
      segment: { segmentId: 's1', speaker: 'customer', text: '我要投诉' },
    });
    const LIVE = `query($campaignId: ID!) { liveCalls(filter: { campaignId: $campaignId }) { calls {
      monitorViewMode intentHits { keyword } timeline { kind text at detail } } } }`;
    const [told] = await waitUntil('the words and the alert to be told', async () => {
      const { liveCalls } = await run(LIVE, { campaignId }, ben.token);
      const kinds = (liveCalls.calls[0]?.timeline ?? []).map(({ kind }: { kind: string }) => kind);
      return ['ANSWERED', 'SEGMENT', 'EVENT'].every(kind => kinds.includes(kind)) ? liveCalls.calls : null;
    });
    expect(told).toMatchObject({ monitorViewMode: 'ACTIVE', intentHits: [{ keyword: '投诉' }] });
    const kinds = (told.timeline as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual(['CLAIMED', 'DIALING', 'ACCEPTED', 'ANSWERED']);
    const at = (told.timeline as { at: string }[]).map(event => event.at);
    expect(at).toEqual(at.toSorted());
    const event = (told.timeline as { kind: string; detail: { id: number; type: string } }[]).find(({ kind }) => kind === 'EVENT');
    expect(event?.detail.type).toBe('intent.alert');
    const ACKNOWLEDGE =
      'mutation($id: ID!) { acknowledgeRuntimeEvent(id: $id) { ... on RuntimeEvent { id: databaseId type acknowledgedAt acknowledgedBy: acknowledgedById } } }';
    expect((await run(ACKNOWLEDGE, { id: event?.detail.id }, ben.token)).acknowledgeRuntimeEvent).toEqual({
      id: String(event?.detail.id),
      type: 'intent.alert',
      acknowledgedAt: expect.any(String),
      acknowledgedBy: String(ben.userId),
    });
    await run(HANG_UP, { callKey: call?.callKey }, supervisor);
  });
});

describe('the overviews return what REST returns [OCS 2.12, 2.13, 4.1]', () => {
  test('overview, trend, runtime, media and NLU', async () => {
    await poolOf(rig.server).beat(poolMember({ maxCalls: 0 }));
    const { overview, trend, runtimeOverview, mediaConfig } = await run(`{
      overview { campaigns { total byStatus { status count } } contacts { total } attempts { today } activeCalls agents { idle busy offline byState { state count } }
        recentAttempts { id: databaseId } recentEvents { id: databaseId } }
      trend(days: 3) { date attempts }
      runtimeOverview { activeContacts scheduler { submittedLastMinute } campaigns { campaignId total fraction } lines { lineId code active }
        cells { cellId state active } stuckBatches { id: databaseId } runtimeMode hasUnregistered
        runtimes { runtimeId name version contract maxCalls calls active isDraining isGone resumes businessCodes lastSeenAt } }
      mediaConfig { baseUrl switchRecordingBaseUrlsByCell { cellId baseUrl } }
    }`);
    const rest = (await rig.api('GET', '/api/overview')).data;
    expect(overview.campaigns.total).toBe(rest.campaigns.total);
    expect(overview.campaigns.byStatus).toHaveLength(5);
    expect(overview.contacts.total).toBe(rest.contacts.total);
    const inStates = Object.fromEntries(overview.agents.byState.map((each: { state: string; count: number }) => [each.state, each.count]));
    const { IDLE: idle = 0, OFFLINE: offline = 0, ...occupied } = inStates;
    const busy = Object.values(occupied).reduce((sum: number, count) => sum + Number(count), 0);
    expect(overview.agents).toMatchObject({ ...rest.agents, idle, offline, busy });
    expect(trend).toHaveLength(3);
    expect(runtimeOverview.cells).toMatchObject([{ cellId: 'cell-1', state: 'UP' }]);
    const runtime = (await rig.api('GET', '/api/runtime/overview')).data;
    const idsOf = (rows: { campaignId: number | string; total: number }[]) => rows.map(row => [String(row.campaignId), row.total]);
    expect(idsOf(runtimeOverview.campaigns)).toEqual(idsOf(runtime.campaignProgress));
    expect(runtimeOverview.runtimes).toEqual(runtime.runtimes.map(({ ageSeconds: _age, ...told }: { ageSeconds: number }) => told));
    expect([runtimeOverview.runtimeMode, runtimeOverview.runtimes.length]).toEqual(['NATS', 1]);
    expect(mediaConfig.switchRecordingBaseUrlsByCell).toEqual([]);
    expect(await fault('{ trend(days: 91) { date } }', {})).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT', field: 'days' } });
    expect(await fault('{ nluCapabilities { decision { defaultProfile } } }', {})).toMatchObject({
      extensions: { code: expect.stringMatching(/^DOWNSTREAM_/) },
    });
  });
});
