import { afterEach, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, maxAtOnce, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const LINE_MAX = 6;
/** The only business whose campaigns have a priority (OCS 2.6). */
const BUSINESS = 'kb-audio-chat-business';
const DIALS = 90;

let rig: DispatchRig;
let second: TestServer | null = null;
afterEach(async () => {
  await second?.close();
  second = null;
  await rig.close();
});

/** Dials of each campaign among the `count` after the first `skip` of the switch's record. */
function dialsOf(ids: readonly number[], skip: number, count: number): number[] {
  const channels = rig.simulator.record().channels.slice(skip, skip + count);
  return ids.map(id => channels.filter(({ variables }) => variables.callout_campaign_id === String(id)).length);
}

test('two instances share a full line 1 : 1 : 4 between priorities 0, 0 and 3, and serve a new campaign within one turn [D5.4]', async () => {
  rig = await startDispatchRig({
    world: everybody('answer', { talkMs: { minMs: 150, maxMs: 350 } }),
    config: { businesses: [{ businessCode: BUSINESS, businessName: '语音问答', runtimeBringsFlow: true }] },
  });
  const { cells, businesses } = rig.server.config;
  second = await startTestServer({ beside: rig.server, config: { cells, businesses } });
  const list = (index: number) => numbers(400, 13_000_000_000 + index * 100_000_000);
  const first = await rig.campaign({ businessCode: BUSINESS, contacts: list(1), lineMaxConcurrency: LINE_MAX, maxConcurrency: 50 });
  const shared = { businessCode: BUSINESS, lineIds: [first.lineId], maxConcurrency: 50 };
  const equal = await rig.campaign({ ...shared, contacts: list(2) });
  const urgent = await rig.campaign({ ...shared, contacts: list(3), businessConfig: { monitoringPriority: 3 } });
  const late = await rig.campaign({ ...shared, contacts: list(4) });
  const ids = [first.id, equal.id, urgent.id];
  const dials = () => rig.simulator.record().totals.channels;

  for (const id of ids) await rig.start(id);
  const begun = dials();
  await waitUntil('the dials', () => dials() >= begun + DIALS, 40_000);
  const [one = 0, two = 0, four = 0] = dialsOf(ids, begun, DIALS);
  expect(one + two + four).toBe(DIALS);
  expect(Math.abs(one - DIALS / 6)).toBeLessThanOrEqual(2 * LINE_MAX);
  expect(Math.abs(two - DIALS / 6)).toBeLessThanOrEqual(2 * LINE_MAX);
  expect(Math.abs(four - (4 * DIALS) / 6)).toBeLessThanOrEqual(2 * LINE_MAX);

  await rig.start(late.id);
  await waitUntil('the newcomer to wait or to dial', async () => (await rig.detail(late.id)).data.campaign.phase !== 'IDLE');
  const joined = dials();
  await waitUntil('the newcomer to be dialled', () => dialsOf([late.id], 0, dials())[0] !== 0);
  const place = rig.simulator.record().channels.findIndex(({ variables }) => variables.callout_campaign_id === String(late.id));
  // One turn of all, 1 + 1 + 4 and its own, and what was claimed before it requested.
  expect(place - joined).toBeLessThanOrEqual(2 * (1 + 1 + 4 + 1) + LINE_MAX);
  expect(maxAtOnce(rig.simulator, 'all')).toBeLessThanOrEqual(LINE_MAX);
  for (const id of [...ids, late.id]) await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, rig.token);
}, 60_000);
