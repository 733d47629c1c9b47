import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from './graphql-client.ts';

const businesses = [
  { businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true },
  { businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true },
];

let rig: ConferenceRig;
beforeAll(async () => {
  rig = await startConferenceRig({ businesses });
}, 120_000);
afterEach(() => rig?.sendAgentsHome(), 90_000);
afterAll(() => rig?.close());

const ACTIONS = `query($campaignId: ID!) { liveCalls(filter: { campaignId: $campaignId }) { calls {
  callKey status conferenceId actions { name allowed reason message } } } }`;
const CLAIM =
  'mutation($callKey: ID!, $agentId: ID) { claimIntervention(callKey: $callKey, agentId: $agentId) { __typename ... on Refusal { reason } } }';
const CANCEL = 'mutation($callKey: ID!) { cancelIntervention(callKey: $callKey) { __typename } }';
const HANG_UP = 'mutation($callKey: ID!) { hangUpLiveCall(callKey: $callKey) { __typename } }';
const ADD = `mutation($id: ID!, $input: AddParticipantInput!) { addParticipant(conferenceId: $id, input: $input) {
  __typename ... on ConferenceLeg { softphoneCallId } ... on Refusal { reason } } }`;

interface Shown {
  callKey: string;
  status: string;
  conferenceId: string | null;
  /** Reason of a disabled action, by name; null: it is allowed. */
  actions: Record<string, string | null>;
}

async function callFor(token: string, campaignId: number): Promise<Shown> {
  // The list follows the call's own state by a message, so a call that is already assigned may still be missing.
  const call = await waitUntil('the call in the list', async () => {
    const { liveCalls } = await askFor(rig.server, token, ACTIONS, { campaignId: String(campaignId) });
    return liveCalls.calls[0];
  });
  type Action = { name: string; allowed: boolean; reason: string | null; message: string | null };
  const actions = call.actions as Action[];
  expect(actions.filter(({ allowed, reason, message }) => allowed !== (reason === null && message === null))).toEqual([]);
  return { ...call, actions: Object.fromEntries(actions.map(({ name, reason }) => [name, reason])) };
}

/** An answered call of a monitored campaign, assigned to the monitor. */
async function watchedBy(token: string, from: number): Promise<number> {
  const businessConfig = { monitoringMode: 'elastic' };
  const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(1, from) });
  await rig.start(id);
  await waitUntil('the call to be given', async () => {
    const { data } = await rig.server.api('POST', '/api/live-monitor/heartbeat', { campaignId: id }, token);
    return data.assigned.length > 0;
  });
  return id;
}

/** Only the bot has the call: its watcher may listen by phone; the runtime of these tests takes no commands. */
const NOBODY_IN = {
  ...Object.fromEntries(
    ['TRANSFER', 'CONSULT', 'WHISPER', 'HAND_BACK', 'HOLD', 'MUTE', 'KEYPAD'].map(name => [name, 'PARTICIPANT_ABSENT']),
  ),
  ...Object.fromEntries(['HINT', 'SAY'].map(name => [name, 'RUNTIME_LACKS_COMMAND'])),
  LISTEN: null,
  BARGE: null,
};
const ALLOWED = null;

test('each user gets their allowed actions on a live call, as the commands then decide', async () => {
  const anna = await rig.agent();
  const boss = await rig.agent({ role: 'supervisor' });
  const id = await watchedBy(anna.token, 13_611_110_000);

  const { callKey, actions: mine } = await callFor(anna.token, id);
  const forSupervisors = { ASSIGN: 'FORBIDDEN', WHISPER: 'FORBIDDEN', HANG_UP: 'FORBIDDEN' };
  const ofMonitor = { CLAIM: ALLOWED, CANCEL_CLAIM: 'NOTHING_CLAIMED', RELEASE: ALLOWED, ...forSupervisors };
  expect(mine).toEqual({ ...NOBODY_IN, ...ofMonitor });
  const { actions: theirs } = await callFor(boss.token, id);
  const ofBoss = { CLAIM: ALLOWED, ASSIGN: ALLOWED, CANCEL_CLAIM: 'NOTHING_CLAIMED', RELEASE: 'WATCHED_BY_ANOTHER', HANG_UP: ALLOWED };
  expect(theirs).toEqual({ ...NOBODY_IN, ...ofBoss });

  await askFor(rig.server, anna.token, CLAIM, { callKey });
  expect((await callFor(anna.token, id)).actions).toMatchObject({
    CLAIM: 'ALREADY_CLAIMED',
    CANCEL_CLAIM: ALLOWED,
    RELEASE: 'INTERVENING',
  });
  expect((await callFor(boss.token, id)).actions).toMatchObject({
    CLAIM: 'ALREADY_CLAIMED',
    ASSIGN: 'ALREADY_CLAIMED',
    CANCEL_CLAIM: 'FORBIDDEN',
  });
  await askFor(rig.server, anna.token, CANCEL, { callKey });

  await askFor(rig.server, boss.token, HANG_UP, { callKey });
  await waitUntil('the call to be over', async () => (await callFor(boss.token, id)).status === 'ENDED');
  expect((await callFor(boss.token, id)).actions).toMatchObject({ CLAIM: 'CALL_ENDED', ASSIGN: 'CALL_ENDED', HANG_UP: 'CALL_ENDED' });
});

test('a user whose agent cannot take the call gets the reason in advance; a supervisor may still name another agent', async () => {
  const [anna, boss, away] = [await rig.agent(), await rig.agent({ role: 'supervisor' }), await rig.agent({ status: 'offline' })];
  const id = await watchedBy(anna.token, 13_622_220_000);
  const { callKey } = await callFor(boss.token, id);
  for (const { token } of [anna, boss]) await rig.server.api('PATCH', '/api/agents/me/status', { status: 'busy' }, token);
  expect((await callFor(boss.token, id)).actions).toMatchObject({ CLAIM: 'AGENT_BUSY', ASSIGN: ALLOWED });
  const told = (await askFor(rig.server, boss.token, CLAIM, { callKey, agentId: String(away.id) })).claimIntervention;
  expect(told).toMatchObject({ reason: 'AGENT_BUSY' });
  await askFor(rig.server, boss.token, HANG_UP, { callKey });
});

test('a supervisor joins the conference of a call on their own phone; its agent hands over', async () => {
  const agent = await rig.agent();
  const boss = await rig.agent({ role: 'supervisor' });
  const desk = await rig.server.loginAs('supervisor');
  const customer = await rig.customer();
  const { data } = await rig.route(customer, { agentId: agent.id });
  await rig.untilLive(data.conferenceId);
  const { conferenceId, actions } = await callFor(boss.token, customer.campaignId);
  expect(conferenceId).toBe(String(data.conferenceId));
  const parts = { TRANSFER: ALLOWED, CONSULT: ALLOWED, LISTEN: ALLOWED, WHISPER: ALLOWED, BARGE: ALLOWED };
  expect(actions).toMatchObject({ ...parts, CLAIM: 'ALREADY_ANSWERED', ASSIGN: 'ALREADY_ANSWERED', HANG_UP: ALLOWED });
  const ofDesk = { TRANSFER: ALLOWED, LISTEN: 'AGENT_MISSING', WHISPER: 'AGENT_MISSING', BARGE: 'AGENT_MISSING' };
  expect((await callFor(desk, customer.campaignId)).actions).toMatchObject(ofDesk);

  await rig.server.api('PATCH', '/api/agents/me/status', { status: 'busy' }, boss.token);
  expect((await callFor(boss.token, customer.campaignId)).actions).toMatchObject({ LISTEN: 'AGENT_BUSY', TRANSFER: ALLOWED });
  const listen = { id: conferenceId, input: { mode: 'LISTEN' } };
  expect((await askFor(rig.server, boss.token, ADD, listen)).addParticipant).toMatchObject({ reason: 'AGENT_BUSY' });
  await rig.server.api('PATCH', '/api/agents/me/status', { status: 'idle' }, boss.token);
  expect((await askFor(rig.server, boss.token, ADD, listen)).addParticipant).toMatchObject({ __typename: 'ConferenceLeg' });
  // Attendance changes between a supervisor's roles, but they stay busy.
  expect((await callFor(boss.token, customer.campaignId)).actions).toMatchObject(parts);
  await rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
});
