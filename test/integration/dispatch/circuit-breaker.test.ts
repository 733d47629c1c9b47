import { afterEach, expect, test } from '@jest/globals';
import { DEFAULT_ROUTES } from '#companions/switch/dial-string.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

type GatewayState = 'up' | 'down' | 'dead';

const PROBE_DIALS = 3;
const MINIMUM = 20;
const CONCURRENCY = 5;
const circuitBreaker = {
  minimumDials: MINIMUM,
  failurePercent: 50,
  windowSeconds: 120,
  firstPauseSeconds: 2,
  longestPauseSeconds: 4,
  probeDials: PROBE_DIALS,
};

let rig: DispatchRig;
let second: TestServer | null = null;
afterEach(async () => {
  await second?.close();
  second = null;
  await rig.close();
});

/** Two instances; every dial goes through one gateway. */
async function startWithGateway(state: GatewayState): Promise<{ gw1: GatewayState }> {
  const gateways = { gw1: state };
  const config = { dispatch: { circuitBreaker } };
  rig = await startDispatchRig({ world: everybody('busy'), routes: { ...DEFAULT_ROUTES, gateways }, config });
  const { cells, businesses } = rig.server.config;
  second = await startTestServer({ beside: rig.server, config: { ...config, cells, businesses } });
  return gateways;
}

const originates = () => rig.simulator.record().totals.originates;

async function blockedEvents() {
  const { data } = await rig.server.api('GET', '/api/runtime/overview', undefined, rig.token);
  return (data.recentEvents as { type: string; level: string; campaignId: number }[]).filter(event => event.type === 'campaign.blocked');
}

test.each([
  // Of the network: each of these dials counts.
  { cause: 'NORMAL_TEMPORARY_FAILURE', state: 'dead', dialsToPause: MINIMUM, isFree: false },
  // Of the switch itself: three tell enough, and they cost nobody an attempt.
  { cause: 'GATEWAY_DOWN', state: 'down', dialsToPause: 3, isFree: true },
] as const)(
  '$cause for everybody pauses the campaign with an alert; a healed gateway lets it complete',
  async ({ cause, state, dialsToPause, isFree }) => {
    const gateways = await startWithGateway(state);
    const { id } = await rig.campaign({ contacts: numbers(80), maxConcurrency: CONCURRENCY });
    await rig.start(id);

    const campaign = await waitUntil('the campaign to pause', async () => {
      const { data } = await rig.detail(id);
      return data.campaign.phase === 'SWITCH_UNREACHABLE' ? data.campaign : null;
    });
    expect(campaign.phaseReason).toContain(cause);
    expect(campaign.phaseReason).toContain('已暂停外呼');
    expect(Date.parse(campaign.nextWakeAt)).toBeGreaterThan(Date.parse(campaign.updatedAt));
    // The ends are gathered for 50 ms, in which the free channels are used again a few times.
    expect(originates()).toBeLessThanOrEqual(dialsToPause + 6 * CONCURRENCY);
    expect(await blockedEvents()).toEqual([expect.objectContaining({ level: 'error', campaignId: id })]);

    await waitUntil('the last dials to end', async () => (await rig.slotsInUse()) === 0);
    const paused = originates();
    await waitUntil('a try', () => originates() > paused);
    await waitUntil('the try to fail', async () => (await rig.slotsInUse()) === 0);
    expect(originates() - paused).toBeLessThanOrEqual(PROBE_DIALS);

    gateways.gw1 = 'up';
    await rig.untilStatus(id, 'completed');
    const reached = (await rig.attempts(id)).filter(attempt => attempt.callStatus === 'busy').length;
    expect(reached).toBeGreaterThanOrEqual(isFree ? 80 : 80 - MINIMUM - 6 * CONCURRENCY - 2 * PROBE_DIALS);
    if (isFree) expect(reached).toBe(80);
    else expect(originates()).toBe(80);
    // One alert for one opening, however often it was tried.
    expect(await blockedEvents()).toHaveLength(1);
  },
);

test('people who do not answer never pause a campaign', async () => {
  await startWithGateway('up');
  const { id } = await rig.campaign({ contacts: numbers(60), maxConcurrency: CONCURRENCY });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  expect(await blockedEvents()).toEqual([]);
});

test('a campaign that fails pauses alone', async () => {
  rig = await startDispatchRig({
    world: everybody('busy'),
    routes: { ...DEFAULT_ROUTES, profiles: ['external'], gateways: { gw1: 'dead', gw2: 'up' } },
    config: { dispatch: { circuitBreaker: { ...circuitBreaker, firstPauseSeconds: 60, longestPauseSeconds: 60 } } },
  });
  const failing = await rig.campaign({ contacts: numbers(40), maxConcurrency: CONCURRENCY });
  const line = await rig.server.api(
    'POST',
    '/api/lines',
    {
      name: '另一线路',
      code: 'line-good',
      dialStringTemplate: 'sofia/gateway/gw2/{{destinationNumber}}',
      maxConcurrency: 50,
      allocationMode: 'single_shared',
      callerIdNumber: '02166660001',
    },
    rig.token,
  );
  const healthy = await rig.campaign({ contacts: numbers(40, 13_800_000_000), lineIds: [Number(line.data.line.id)] });
  await rig.start(failing.id);
  await rig.start(healthy.id);
  await rig.untilStatus(healthy.id, 'completed');
  await waitUntil('the other to pause', async () => (await rig.detail(failing.id)).data.campaign.phase === 'SWITCH_UNREACHABLE');
  expect((await blockedEvents()).map(event => event.campaignId)).toEqual([failing.id]);
});
