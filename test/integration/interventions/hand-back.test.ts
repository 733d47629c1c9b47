import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { startPoolRuntime } from '#test/support/pool-runtime.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../../contract/graphql/graphql-client.ts';

const SHOWN = `query($id: ID!) { node(id: $id) { ... on LiveCall {
  intervention { status reason } guidance { kind text by } conferenceId actions { name reason } } } }`;
const HAND_BACK = `mutation($callKey: ID!, $text: String) { handBackLiveCall(callKey: $callKey, text: $text, nodeId: "ask", guidanceId: "b-1") {
  __typename ... on GuidedCall { guidance { kind text } } ... on Refusal { reason } } }`;

let rig: ConferenceRig;
let runtime: Awaited<ReturnType<typeof startPoolRuntime>>;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  rig = await startConferenceRig({}, { playsRuntime: false });
  stack.defer(() => rig.close());
  runtime = await startPoolRuntime(rig, { runtimeId: 'able', commands: ['hand_back'] });
  stack.defer(() => runtime.close());
}, 120_000);
afterAll(() => stack.disposeAsync());

/** A customer that an agent has taken over by a claim. */
async function takenOver() {
  const agent = await rig.agent();
  const customer = await rig.customer();
  const { requestId } = customer;
  const { data } = await rig.ask('POST', `/api/live-calls/request:${requestId}/intervene`, { agentId: agent.id });
  const interventionId = String(data.intervention.id);
  await rig.server.internal('POST', '/api/call-progress', {
    requestId,
    kind: 'intervention',
    intervention: { id: interventionId, status: 'transferring' },
  });
  const routed = await rig.route(customer, { interventionId, agentId: agent.id });
  if (routed.status !== 200) throw new Error(routed.text);
  const conferenceId = Number(routed.data.conferenceId);
  await waitUntil('both to be in', async () => (await rig.session(conferenceId)).session.memberCount === 2);
  const active = { id: interventionId, status: 'active', agentId: agent.id };
  await rig.server.internal('POST', '/api/call-progress', { requestId, kind: 'intervention', intervention: active });
  const shown = async () => (await askFor(rig.server, rig.token, SHOWN, { id: `LiveCall:${requestId}` })).node;
  return { agent, requestId, conferenceId, interventionId, callKey: `request:${requestId}`, shown };
}

test('the agent gives the customer back: the agents leave, the runtime gets the agreement, the intervention says so [D9.9]', async () => {
  const { agent, requestId, conferenceId, interventionId, callKey, shown } = await takenOver();
  const given = await askFor(rig.server, agent.token, HAND_BACK, { callKey, text: '周三上门' });
  expect(given.handBackLiveCall).toEqual({ __typename: 'GuidedCall', guidance: { kind: 'HAND_BACK', text: '周三上门' } });
  const told = { guidanceId: 'b-1', text: '周三上门', nodeId: 'ask', by: expect.any(String), conferenceId, interventionId };
  expect(runtime.named('hand_back').map(({ body }) => body)).toEqual([told]);
  expect(runtime.named('transfer').filter(({ body }) => body.status === 'ended')).toEqual([]);
  expect(await shown()).toMatchObject({
    intervention: { status: 'ENDED', reason: '已交还给机器人' },
    guidance: [{ kind: 'HAND_BACK' }],
    conferenceId: null,
  });
  expect((await rig.session(conferenceId)).session).toMatchObject({ status: 'ended', endCause: 'HANDED_BACK' });
  await waitUntil('the customer alone to be on the line', () => rig.openChannels().join() === requestId);
  await waitUntil('the agent to be free', async () => (await rig.stageOf(agent.id)) === 'idle');
  // The same request again, after its answer was lost.
  expect((await askFor(rig.server, rig.token, HAND_BACK, { callKey, text: '周三上门' })).handBackLiveCall).toMatchObject({
    __typename: 'GuidedCall',
  });
  expect(runtime.named('hand_back')).toHaveLength(1);
  await rig.ask('POST', `/api/live-calls/${callKey}/hangup`);
});

test('a runtime that does not answer leaves the customer with the agent, and the refusal says so [D9.9]', async () => {
  const { requestId, conferenceId, callKey } = await takenOver();
  runtime.answers.set('ping', null);
  expect((await askFor(rig.server, rig.token, HAND_BACK, { callKey })).handBackLiveCall).toMatchObject({ reason: 'RUNTIME_SILENT' });
  runtime.answers.delete('ping');
  expect((await rig.session(conferenceId)).session).toMatchObject({ status: 'live', memberCount: 2 });
  await rig.server.internal('POST', '/api/transfers/end', { customerUuid: requestId });
});

test('nobody outside the conference hands back, and nothing is handed back while the bot has the customer [D9.9]', async () => {
  const { callKey, requestId } = await takenOver();
  const stranger = await rig.agent();
  const refused = await rig.server.api('POST', `/api/live-calls/${callKey}/hand-back`, {}, stranger.token);
  expect(refused.status).toBe(403);
  await rig.server.internal('POST', '/api/transfers/end', { customerUuid: requestId });
  const { requestId: other } = await rig.customer();
  const answer = await askFor(rig.server, rig.token, HAND_BACK, { callKey: `request:${other}` });
  expect(answer.handBackLiveCall).toMatchObject({ __typename: 'HandBackRefused', reason: 'PARTICIPANT_ABSENT' });
});
