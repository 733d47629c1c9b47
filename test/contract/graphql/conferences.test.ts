import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ask } from './graphql-client.ts';

const REFUSAL = '... on Refusal { code message }';

let rig: ConferenceRig;
let runtime: SoftphoneRuntime;

beforeAll(async () => {
  rig = await startConferenceRig();
  runtime = await startSoftphoneRuntime(rig.server);
}, 120_000);
afterEach(() => rig?.sendAgentsHome(), 90_000);
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

// oxlint-disable-next-line typescript/no-explicit-any
async function run(query: string, variables: object = {}, token = rig.token): Promise<any> {
  const { data, errors } = await ask(rig.server, token, query, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data;
}

const fault = async (query: string, variables: object, token = rig.token) => (await ask(rig.server, token, query, variables)).errors[0];

describe('conferences [OCS 4.15, D12.6]', () => {
  const ADD = `mutation($id: ID!, $input: AddParticipantInput!) { addParticipant(conferenceId: $id, input: $input) {
    __typename ... on ConferenceLeg { softphoneCallId role mode agentId canSpeak } ${REFUSAL} } }`;
  const REMOVE = `mutation($id: ID!, $callId: ID!, $force: Boolean) { removeParticipant(conferenceId: $id, softphoneCallId: $callId, force: $force) {
    __typename ... on RemovedParticipant { removed } ${REFUSAL} } }`;
  const ONE = `query($id: ID!) { conference(id: $id) { id: databaseId kind status memberCount customerState attempt { id: databaseId } campaign { id: databaseId }
    legs { softphoneCallId role agentId status } } }`;

  test('are listed and read, accept a listener and remove a leg', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { data } = await rig.route(customer);
    const id = String(data.conferenceId);
    const softphoneCallId = String(data.softphoneCallId);
    const { conference } = await waitUntil('both to be in', async () => {
      const found = await run(ONE, { id });
      return found.conference.memberCount === 2 ? found : null;
    });
    expect(conference).toEqual({
      id,
      kind: 'TRANSFER',
      status: 'LIVE',
      memberCount: 2,
      customerState: 'INSIDE',
      attempt: { id: String(customer.attemptId) },
      campaign: { id: String(customer.campaignId) },
      legs: [{ softphoneCallId, role: 'AGENT', agentId: String(agent.id), status: 'JOINED' }],
    });
    expect((await run('{ conferences { id: databaseId } }')).conferences).toContainEqual({ id });
    expect(await fault(ONE, { id }, agent.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect((await run(ONE, { id: '999999' })).conference).toBeNull();
    const listener = await rig.agent();
    const input = { mode: 'LISTEN', agentId: String(listener.id) };
    expect((await run(ADD, { id, input })).addParticipant).toMatchObject({
      __typename: 'ConferenceLeg',
      role: 'SUPERVISOR',
      mode: 'LISTEN',
      agentId: String(listener.id),
      canSpeak: false,
    });
    const busy = await rig.agent({ status: 'offline' });
    expect((await run(ADD, { id, input: { mode: 'BLIND', agentId: String(busy.id) } })).addParticipant).toMatchObject({
      __typename: 'ParticipantRefused',
      code: 'CONFLICT',
    });
    expect((await run(REMOVE, { id, callId: softphoneCallId })).removeParticipant).toMatchObject({ __typename: 'ParticipantRefused' });
    expect((await run(REMOVE, { id, callId: softphoneCallId, force: true })).removeParticipant).toEqual({
      __typename: 'RemovedParticipant',
      removed: true,
    });
    await rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
  });
});

describe('whispering [D12.6]', () => {
  const ADD = `mutation($id: ID!, $input: AddParticipantInput!) { addParticipant(conferenceId: $id, input: $input) {
    __typename ... on ConferenceLeg { softphoneCallId callUuid mode canSpeak } ${REFUSAL} } }`;

  /** A customer with an agent, and the mutation by which a supervisor joins. */
  async function meeting() {
    const [agent, customer, supervisor] = [await rig.agent(), await rig.customer(), await rig.agent({ role: 'supervisor' })];
    const { data } = await rig.route(customer, { agentId: agent.id });
    const members = async () => (await rig.session(data.conferenceId)).session.memberCount;
    await waitUntil('both to be in', async () => (await members()) === 2);
    const take = async (mode: string) =>
      (await run(ADD, { id: String(data.conferenceId), input: { mode, agentId: String(supervisor.id) } })).addParticipant;
    const end = () => rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
    return {
      agent,
      customer,
      supervisor,
      conferenceId: Number(data.conferenceId),
      agentUuid: String(data.agentCallUuid),
      members,
      take,
      end,
    };
  }

  test('a supervisor listens, whispers to the agent alone, barges in, and listens again; the older rows show a listener', async () => {
    const { agentUuid, customer, conferenceId, members, take, end } = await meeting();
    const { callUuid } = await take('LISTEN');
    await waitUntil('the supervisor to be in', async () => (await members()) === 3);
    const everybody = [agentUuid, customer.requestId].sort();
    // A read that began before the change may be outdated: its effect is undone.
    const isHeardBy = (uuids: readonly string[]) =>
      waitUntil(`${uuids.length} to hear`, () => JSON.stringify(rig.simulator.hearersOf(callUuid).sort()) === JSON.stringify(uuids));
    await isHeardBy([]);
    expect(await take('WHISPER')).toMatchObject({ mode: 'WHISPER', canSpeak: true });
    expect(rig.simulator.hearersOf(callUuid)).not.toContain(customer.requestId);
    await isHeardBy([agentUuid]);
    const { legs } = await rig.session(conferenceId);
    expect(legs.find((leg: { callUuid: string }) => leg.callUuid === callUuid)).toMatchObject({ mode: 'listen', canSpeak: false });
    expect(await take('BARGE')).toMatchObject({ mode: 'BARGE', canSpeak: true });
    await isHeardBy(everybody);
    expect(await take('WHISPER')).toMatchObject({ mode: 'WHISPER' });
    await isHeardBy([agentUuid]);
    expect(await take('LISTEN')).toMatchObject({ mode: 'LISTEN', canSpeak: false });
    await isHeardBy([]);
    expect(await take('BARGE')).toMatchObject({ mode: 'BARGE' });
    await isHeardBy(everybody);
    await end();
  });

  test('a whisper reaches neither a participant who joins during it nor a customer who returns', async () => {
    const { agentUuid, customer, conferenceId, members, take, end } = await meeting();
    const { callUuid } = await take('WHISPER');
    await waitUntil('the whisper to be heard', () => rig.simulator.hearersOf(callUuid).includes(agentUuid));
    expect(rig.simulator.hearersOf(callUuid)).toEqual([agentUuid]);
    const input = { mode: 'BARGE', targetNumber: '13800004250' };
    await run(ADD, { id: String(conferenceId), input });
    await waitUntil('the number to be in', async () => (await members()) === 4);
    await waitUntil('it to be kept from the whisper', () => rig.simulator.hearersOf(callUuid).length === 1);
    await rig.takeOut(customer.requestId);
    await waitUntil('the whisper to stop', () => rig.simulator.hearersOf(callUuid).length === 0);
    await waitUntil('the customer to be back', async () => (await members()) === 4, 30_000);
    await waitUntil('the whisper to go on', () => rig.simulator.hearersOf(callUuid).length > 0);
    expect(rig.simulator.hearersOf(callUuid)).toEqual([agentUuid]);
    await end();
  });

  test('an agent cannot whisper, and the REST row has no whisper mode', async () => {
    const { agent, conferenceId, supervisor, end } = await meeting();
    const input = { mode: 'WHISPER', agentId: String(supervisor.id) };
    expect(await fault(ADD, { id: String(conferenceId), input }, agent.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    const body = { mode: 'whisper', agentId: supervisor.id };
    expect((await rig.server.api('POST', `/api/conference-sessions/${conferenceId}/participants`, body, rig.token)).status).toBe(400);
    await end();
  });
});

describe('sessions of browser phones [OCS 4.14, D12.4]', () => {
  const OPEN = `mutation($input: OpenSoftphoneSessionInput!) { openSoftphoneSession(input: $input) {
    __typename ... on OpenedSoftphoneSession { sessionId softphoneCallId serviceNumber sipExtraHeaders { name value } } ${REFUSAL} } }`;

  test('are opened, noted and ended; actions that need a customer wait for one', async () => {
    const agent = await rig.agent();
    const { openSoftphoneSession: opened } = await run(OPEN, { input: { note: '试用' } }, agent.token);
    expect(opened).toMatchObject({ __typename: 'OpenedSoftphoneSession', serviceNumber: '8800' });
    const { sessionId } = opened;
    expect(opened.sipExtraHeaders).toContainEqual({ name: 'X-Callout-Session', value: sessionId });
    expect((await run(OPEN, { input: {} }, agent.token)).openSoftphoneSession).toMatchObject({
      __typename: 'SoftphoneSessionRefused',
      code: 'CONFLICT',
    });
    const ONE =
      'query($sessionId: ID!) { softphoneSession(sessionId: $sessionId) { sessionId isOpen call { id: databaseId note agent { id: databaseId } } customer { status } } }';
    const { softphoneSession } = await run(ONE, { sessionId }, agent.token);
    expect(softphoneSession).toEqual({
      sessionId,
      isOpen: true,
      call: { id: opened.softphoneCallId, note: '试用', agent: { id: String(agent.id) } },
      customer: null,
    });
    const stranger = await rig.agent();
    expect(await fault(ONE, { sessionId }, stranger.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    for (const command of ['holdSoftphoneSession(sessionId: $sessionId)', 'sendSoftphoneDigits(sessionId: $sessionId, digits: "12#")']) {
      const answer = await run(`mutation($sessionId: ID!) { done: ${command} { __typename ${REFUSAL} } }`, { sessionId }, agent.token);
      expect(answer.done).toMatchObject({ __typename: 'SoftphoneSessionRefused', message: '客户尚未接通' });
    }
    const wrong = `mutation($sessionId: ID!) { sendSoftphoneDigits(sessionId: $sessionId, digits: "x") { ... on Refusal { code field } } }`;
    const { sendSoftphoneDigits } = await run(wrong, { sessionId }, agent.token);
    expect(sendSoftphoneDigits).toEqual({ code: 'INVALID_ARGUMENT', field: 'digits' });
    const noted = await run(
      'mutation($sessionId: ID!) { noteSoftphoneSession(sessionId: $sessionId, note: "改过") { ... on SoftphoneSession { call { note } } } }',
      { sessionId },
      agent.token,
    );
    expect(noted.noteSoftphoneSession.call.note).toBe('改过');
    const END = `mutation($sessionId: ID!) { endSoftphoneSession(sessionId: $sessionId) {
      ... on EndedSoftphoneSession { sessionId ended recordingUrl } ... on Refusal { field } } }`;
    expect((await run(END, { sessionId }, agent.token)).endSoftphoneSession).toMatchObject({ sessionId, ended: true });
    expect((await run(END, { sessionId }, agent.token)).endSoftphoneSession).toMatchObject({ ended: false });
    expect((await run(ONE, { sessionId }, agent.token)).softphoneSession.isOpen).toBe(false);
    expect((await run(END, { sessionId: 'nonsense' }, agent.token)).endSoftphoneSession).toEqual({ field: 'sessionId' });
  });
});
