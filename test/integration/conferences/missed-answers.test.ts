import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';
import { type SoftphoneRuntime, startSoftphoneRuntime } from '#test/support/softphone-runtime.ts';
import { softphoneTalks } from '#test/support/softphone-talks.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** More events than any test receives. */
const ALL = 1_000_000;
/** Long enough to lose the connection meanwhile, in ms. */
const RING_MS = 1_500;

let rig: ConferenceRig;
let runtime: SoftphoneRuntime;

beforeAll(async () => {
  rig = await startConferenceRig();
  runtime = await startSoftphoneRuntime(rig.server);
}, 60_000);
afterEach(async () => {
  rig.simulator.faults.loseEvents(0);
  await rig.sendAgentsHome();
}, 90_000);
afterAll(async () => {
  await runtime?.close();
  await rig?.close();
});

const end = (customer: LiveCustomer) => rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
const channelOf = (uuid: string) => rig.simulator.record().channels.find(channel => channel.uuid === uuid);
const untilMet = (conferenceName: string, uuids: readonly string[]) =>
  waitUntil('all to hear each other', async () => {
    const heard = await Promise.all(uuids.map(uuid => rig.isHeard(conferenceName, uuid)));
    return heard.every(isHeard => isHeard === true);
  });

/** The agent's leg is recorded as joined at its answer, and the conference has a recording. */
async function hasTrueAnswer(conferenceId: number, agentCallUuid: string): Promise<void> {
  const { session, legs } = await waitUntil('the recording', async () => {
    const now = await rig.session(conferenceId);
    return now.session.recordingUrl === null ? null : now;
  });
  expect(session).toMatchObject({ status: 'live', customerState: 'inside' });
  expect(legs).toMatchObject([{ status: 'joined', callUuid: agentCallUuid }]);
  expect(Math.abs(Date.parse(legs[0].joinedAt) - (channelOf(agentCallUuid)?.answeredAt ?? 0))).toBeLessThan(100);
}

test('without any event of a transfer, agent and customer meet, and are recorded [I9]', async () => {
  const [agent, customer] = [await rig.agent({ ringMs: RING_MS }), await rig.customer()];
  rig.simulator.faults.loseEvents(ALL);
  const { data } = await rig.route(customer);
  await untilMet(data.conferenceName, [data.agentCallUuid, customer.requestId]);
  await hasTrueAnswer(data.conferenceId, data.agentCallUuid);
  await waitUntil('the agent to be held', async () => (await rig.stageOf(agent.id)) === 'talking');
  await waitUntil('both to be counted', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
  await end(customer);
}, 90_000);

test('the connection is lost while the agent rings, and returns after the answer: the customer is moved into the room [I9]', async () => {
  const [agent, customer] = [await rig.agent({ ringMs: RING_MS }), await rig.customer()];
  const { data } = await rig.route(customer);
  rig.simulator.faults.dropConnections();
  rig.simulator.faults.freeze(RING_MS + 2_000);
  await waitUntil('the agent to have answered unheard', () => channelOf(data.agentCallUuid)?.answeredAt != null);
  await untilMet(data.conferenceName, [data.agentCallUuid, customer.requestId]);
  await hasTrueAnswer(data.conferenceId, data.agentCallUuid);
  await waitUntil('the agent to be held', async () => (await rig.stageOf(agent.id)) === 'talking');
  await end(customer);
}, 90_000);

test('a customer who was moved into the room but is not there is moved again [I9]', async () => {
  const [, customer] = [await rig.agent(), await rig.customer()];
  const { data } = await rig.route(customer);
  await untilMet(data.conferenceName, [data.agentCallUuid, customer.requestId]);
  await rig.takeOut(customer.requestId);
  expect(await rig.isHeard(data.conferenceName, customer.requestId)).toBeUndefined();
  await untilMet(data.conferenceName, [data.agentCallUuid, customer.requestId]);
  await end(customer);
}, 90_000);

test('without events, the browser of an agent and then the customer are found in the room [D12.4, I9]', async () => {
  const talks = softphoneTalks(rig);
  await rig.campaign();
  const agent = await rig.agent();
  const { data } = await talks.open(agent, { phoneNumber: '13612340001' });
  rig.simulator.faults.loseEvents(ALL);
  await rig.dialIn(agent, data.sipExtraHeaders['X-Callout-Conference']);
  const [conferenceName = ''] = data.sipExtraHeaders['X-Callout-Conference'].split('@');
  const session = async () => {
    const { data: list } = await rig.server.api('GET', '/api/conference-sessions', undefined, rig.token);
    return list.rows.find((row: { conferenceName: string }) => row.conferenceName === conferenceName);
  };
  const { conferenceId } = await waitUntil('the session to be listed', session);
  const legs = await waitUntil('both legs to be joined', async () => {
    const now = (await rig.session(conferenceId)).legs as { status: string; callUuid: string }[];
    return now.length === 2 && now.every(({ status }) => status === 'joined') ? now : null;
  });
  await untilMet(
    conferenceName,
    legs.map(({ callUuid }) => callUuid),
  );
  expect(await rig.stageOf(agent.id)).toBe('talking');
  await talks.api(agent, 'POST', `/api/softphone-sessions/${data.sessionId}/end`);
}, 90_000);
