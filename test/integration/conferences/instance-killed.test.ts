import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConferenceRig, startConferenceRig } from '#test/support/conference-rig.ts';
import { startSecondInstance } from '#test/support/second-instance.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Longer than a phone rings, on a machine that may stall, in ms. */
const PATIENCE_MS = 90_000;

let rig: ConferenceRig;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  rig = await startConferenceRig();
  stack.defer(() => rig.close());
}, 60_000);
afterAll(() => stack.disposeAsync(), PATIENCE_MS);

test('killed between a commit and its effect: another instance hangs up the phone of a removed participant [A3, D12.6]', async () => {
  const [agent, customer] = [await rig.agent(), await rig.customer()];
  const { data } = await rig.route(customer, { agentId: agent.id });
  await waitUntil('both to be in', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
  const other = await rig.agent({ ringMs: 60_000 });
  const removing = await startSecondInstance(rig, 'removing', stack);
  const participants = `/api/conference-sessions/${data.conferenceId}/participants`;
  const { leg } = (await rig.server.api('POST', participants, { mode: 'blind', agentId: other.id }, rig.token)).data;
  const legNow = async () =>
    (await rig.session(data.conferenceId)).legs.find((each: { callUuid: string }) => each.callUuid === leg.callUuid);
  await waitUntil('the phone to ring', async () => (await legNow()).status === 'ringing');

  // Its hang-up never reaches the switch, so the process dies between the commit and the effect.
  removing.wire.cut();
  const removal = Promise.allSettled([removing.api('DELETE', `${participants}/${leg.softphoneCallId}`)]);
  await waitUntil('the removal to be committed', async () => (await legNow()).status === 'ended');
  await removing.kill();
  await removing.wire.close();
  expect((await removal)[0]?.status).toBe('rejected');

  const channel = () => rig.simulator.record().channels.find(({ uuid }) => uuid === leg.callUuid);
  await waitUntil('the phone to be silent', () => channel()?.endedAt != null, PATIENCE_MS);
  // A phone that nobody hangs up rings until its time limit.
  expect(channel()?.cause).toBe('NORMAL_CLEARING');
  await waitUntil('the other agent to be free', async () => (await rig.stageOf(other.id)) === 'idle', PATIENCE_MS);
  expect((await rig.session(data.conferenceId)).session).toMatchObject({ status: 'live', customerState: 'inside' });
  await rig.server.internal('POST', '/api/transfers/end', { customerUuid: customer.requestId });
}, 400_000);
