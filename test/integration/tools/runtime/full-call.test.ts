import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startRuntimeProcess } from './process.ts';
import example from '../../../../examples/spring-visit.script.json' with { type: 'json' };

const CALLS = 6;
let rig: DispatchRig;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  rig = await startDispatchRig({
    // Nobody hangs up before the script has ended.
    world: everybody('answer', { talkMs: { minMs: 60_000, maxMs: 60_000 } }),
    config: { businesses: [{ businessCode: 'spring-visit', businessName: '春季回访' }] },
    playsRuntime: false,
  });
  stack.defer(() => rig.close());
  const runtime = await startRuntimeProcess(rig.server.nats.url, '--speed', '60', '--voicemail-rate', '0');
  stack.defer(() => runtime.stop());
}, 60_000);

afterAll(() => stack.disposeAsync());

test('a campaign of the demo: every customer is called, spoken to and classified [OCS 4.11, D7.7]', async () => {
  const { script } = (await rig.ask('POST', '/api/v1/scripts', example)).data;
  const { id: campaignId } = await rig.campaign({
    businessCode: 'spring-visit',
    maxRetries: 0,
    businessConfig: { variables: { shop: '城南营业厅' } },
    contacts: numbers(CALLS),
  });
  await rig.start(campaignId);
  const attempts = await waitUntil('every call to have its result', async () => {
    const rows = await rig.attempts(campaignId);
    return rows.length === CALLS && rows.every(({ status }) => status === 'completed') ? rows : null;
  });
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ callStatus: 'completed', hangupBy: 'bot', scriptId: script.id, scriptVersion: script.version });
    expect(attempt).toMatchObject({ classification: expect.stringMatching(/^[ABCD]$/) });
  }
  const { rows } = (await rig.ask('GET', `/api/call-attempts/${attempts[0]?.id}/transcript-segments`)).data;
  expect(rows.map((segment: { text: string }) => segment.text).join('\n')).toContain('这里是城南营业厅');
  await waitUntil('the channels to be gone', async () => (await rig.slotsInUse()) === 0);
  expect(rig.simulator.record().channels.every(channel => channel.endedAt !== null)).toBe(true);
}, 90_000);
