import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { type AgentRig, startAgentRig, type TestAgent } from '#test/support/agent-rig.ts';
import { everybody, numbers, wipeLiveState } from '#test/support/dispatch-rig.ts';
import { readEvents } from '#test/support/read-events.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: AgentRig;
let anna: TestAgent;

beforeAll(async () => {
  const businesses = [{ businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true }];
  rig = await startAgentRig({ world: everybody('answer', { talkMs: { minMs: 900_000, maxMs: 900_000 } }), config: { businesses } });
  anna = await rig.agent();
});
afterAll(() => rig.close());

/** A call that a customer has answered and in which something was said. */
async function talkingCall(): Promise<{ campaignId: number; callKey: string; requestId: string; answeredAt: string }> {
  const businessConfig = { monitoringMode: 'elastic' };
  const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(1) });
  await rig.start(id);
  const live = () => liveCall(id);
  const { callKey, requestId, answeredAt } = await waitUntil('the call to be live', async () =>
    (await live())?.status === 'live' ? live() : null,
  );
  for (const segmentId of ['s1', 's2', 's3', 's4', 's5', 's6']) await say(requestId, segmentId);
  // The attempt gets the answer from a write that nothing waits for.
  await waitUntil('the answer to be written', async () => (await rig.attempts(id))[0]?.status === 'answered');
  return { campaignId: id, callKey, requestId, answeredAt };
}

const liveCall = async (campaignId: number) => (await rig.api('GET', `/api/live-calls?campaignId=${campaignId}`)).data.calls[0];
const say = (requestId: string, segmentId: string) =>
  rig.server.internal('POST', '/api/call-progress', {
    requestId,
    kind: 'segment',
    segment: { segmentId, speaker: 'customer', text: segmentId },
  });
const report = (requestId: string, status: string) =>
  rig.server.internal('POST', '/api/call-progress', {
    requestId,
    kind: 'intervention',
    intervention: { id: 'rt-1', status, isOwnLeg: true },
  });

test('a live call outlives a wiped cache: watchers continue, monitors get it and may take it over [A3, D9.3]', async () => {
  const { campaignId, callKey, requestId, answeredAt } = await talkingCall();
  const watcher = await readEvents(`${rig.server.url}/api/live-calls/events?campaignId=${campaignId}`, { token: rig.token });
  await watcher.next('snapshot');
  await wipeLiveState(rig.server);
  expect((await say(requestId, 's7')).status).toBe(200);
  expect(await liveCall(campaignId)).toMatchObject({ callKey, status: 'live', answeredAt });
  expect((await watcher.next('call-resync')).data).toMatchObject({ callKey, call: { status: 'live', segments: [{ segmentId: 's7' }] } });
  await say(requestId, 's8');
  expect((await watcher.next('segment')).data).toMatchObject({ callKey, segment: { segmentId: 's8' } });
  watcher.close();

  // The cached state of agents is lost too.
  await waitUntil(
    'the agent to be idle',
    async () => (await rig.api('PATCH', `/api/agents/${anna.id}/status`, { status: 'idle' })).status === 200,
  );
  const beat = () => rig.api('POST', '/api/live-monitor/heartbeat', { campaignId }, anna.token);
  await waitUntil('the call to be given', async () => (await beat()).data.assigned.includes(callKey));
  const claimed = await waitUntil('the claim', async () => {
    const answer = await rig.api('POST', `/api/live-calls/${callKey}/intervene`, undefined, anna.token);
    return answer.status === 200 ? answer : null;
  });
  expect(claimed.data.intervention.status).toBe('requested');
  await rig.api('POST', `/api/live-calls/${callKey}/hangup`);
});

test('a transfer that the runtime reports after a wipe is accepted as a fact [A7]', async () => {
  const { campaignId, requestId } = await talkingCall();
  await wipeLiveState(rig.server);
  expect((await report(requestId, 'active')).data).toEqual({ accepted: 1, duplicates: 0 });
  expect(await liveCall(campaignId)).toMatchObject({ status: 'live', intervention: { id: 'rt-1', status: 'active' } });
});
