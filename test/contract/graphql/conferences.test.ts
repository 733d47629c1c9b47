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

  test('are listed and read, take a listener in and let a leg out', async () => {
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

describe('sessions of browser phones [OCS 4.14, D12.4]', () => {
  const OPEN = `mutation($input: OpenSoftphoneSessionInput!) { openSoftphoneSession(input: $input) {
    __typename ... on OpenedSoftphoneSession { sessionId softphoneCallId serviceNumber sipExtraHeaders { name value } } ${REFUSAL} } }`;

  test('are opened, noted and ended; what needs a customer waits for one', async () => {
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
