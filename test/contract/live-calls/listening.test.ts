import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { type AgentRig, startAgentRig } from '#test/support/agent-rig.ts';
import { everybody, numbers } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const WORLD = everybody('answer', { talkMs: { minMs: 900_000, maxMs: 900_000 } });
const businesses = [{ businessCode: MONITORED_BUSINESS, businessName: '知识库语音', runtimeBringsFlow: true }];

let rig: AgentRig;

beforeAll(async () => {
  rig = await startAgentRig({ world: WORLD, config: { businesses } });
}, 120_000);
afterAll(() => rig?.close());

let from = 13_700_000_000;

async function liveCalls(count: number): Promise<void> {
  from += 1_000_000;
  const campaign = { businessCode: MONITORED_BUSINESS, businessConfig: { monitoringMode: 'elastic' }, contacts: numbers(count, from) };
  const { id } = await rig.campaign(campaign);
  await rig.start(id);
  const statuses = async () =>
    (await rig.api('GET', `/api/live-calls?campaignId=${id}`)).data.calls.map(({ status }: { status: string }) => status);
  await waitUntil('the calls to be live', async () => String(await statuses()) === String(Array.from({ length: count }, () => 'live')));
}

test('who listens to a call, or barges in on it, goes on watching, and is given no other call [D9.4, D9.10]', async () => {
  const { token } = await rig.agent();
  const assigned = async (): Promise<string[]> => {
    const { data } = await rig.api('POST', '/api/live-monitor/heartbeat', { campaignId: null, tabId: 'tab-1' }, token);
    return data.assigned.toSorted();
  };
  await liveCalls(2);
  await waitUntil('the calls to be given', async () => (await assigned()).length === 2);
  const [key = '', other = ''] = await assigned();
  for (const mode of ['listen', 'barge']) {
    const listen = () => rig.api('POST', `/api/live-calls/${key}/listen`, { mode }, token);
    await waitUntil(`the phone to take ${mode}`, async () => (await listen()).status === 200);
    expect(await assigned()).toEqual([key, other]);
  }
  await liveCalls(1);
  expect(await assigned()).toEqual([key, other]);
  const claim = await rig.api('POST', `/api/live-calls/${other}/intervene`, undefined, token);
  expect([claim.status, claim.msg]).toEqual([409, '坐席的话机正在旁听：先结束旁听，再介入']);
});
