import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 4_000, maxMs: 4_000 } }) });
});
afterAll(() => rig.close());

test('after its planned end a campaign lets its calls end, completes and names the contacts left out [D5.2]', async () => {
  const endsAt = Date.now() + 3_000;
  const { id } = await rig.campaign({
    contacts: numbers(5, 13_600_000_000),
    maxConcurrency: 1,
    maxRetries: 0,
    scheduledEndAt: new Date(endsAt).toISOString(),
  });
  await rig.start(id);
  await waitUntil('a call', async () => (await rig.attempts(id)).some(({ status }) => status === 'answered'));
  await waitUntil('the end to pass', async () => (await rig.detail(id)).data.campaign.phase === 'DRAINING');
  expect(Date.now()).toBeGreaterThanOrEqual(endsAt);
  await rig.untilStatus(id, 'completed');
  const dialled = (await rig.attempts(id)).filter(({ status }) => status !== 'cancelled').length;
  const left = 5 - dialled;
  expect(left).toBeGreaterThan(0);
  const event = await waitUntil('the event', async () => {
    const { data } = await rig.ask('GET', '/api/runtime/overview');
    const events = data.recentEvents as { type: string; campaignId: number; message: string; detail: object }[];
    return events.find(({ type, campaignId }) => type === 'campaign.completed' && campaignId === id);
  });
  expect(event).toMatchObject({
    message: `已过计划结束时间，剩余联系人：待呼叫 ${left} 个`,
    detail: { pending: left, held: 0, retryable: 0 },
  });
  const campaign = (await rig.detail(id)).data.campaign;
  expect(campaign).toMatchObject({ status: 'completed', nextWakeAt: null });
}, 60_000);
