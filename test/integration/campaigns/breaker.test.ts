import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openEsl } from '#platform/freeswitch/esl-connection.ts';
import { DEFAULT_ROUTES } from '#tools/switch/dial-string.ts';
import { systemClock } from '#kernel/clock.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig, SWITCH_PASSWORD } from '#test/support/dispatch-rig.ts';
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

test('a network failure of all calls pauses the campaign with an alert; after a repair of the gateway it completes', async () => {
  await startWithGateway('up');
  const { troubles } = rig.simulator.faults;
  troubles.carrier('gw1', 'congested');
  const { id } = await rig.campaign({ contacts: numbers(80), maxConcurrency: CONCURRENCY });
  await rig.start(id);

  const campaign = await waitUntil('the campaign to pause', async () => {
    const { data } = await rig.detail(id);
    return data.campaign.phase === 'SWITCH_UNREACHABLE' ? data.campaign : null;
  });
  expect(campaign.phaseReason).toContain('NORMAL_TEMPORARY_FAILURE');
  expect(campaign.phaseReason).toContain('已暂停外呼');
  expect(Date.parse(campaign.nextWakeAt)).toBeGreaterThan(Date.parse(campaign.updatedAt));
  // Ends are collected for 50 ms, during which the free channels are reused a few times.
  expect(originates()).toBeLessThanOrEqual(MINIMUM + 6 * CONCURRENCY);
  await waitUntil('the event', async () => (await blockedEvents()).length > 0);
  expect(await blockedEvents()).toEqual([expect.objectContaining({ level: 'error', campaignId: id })]);

  await waitUntil('the last dials to end', async () => (await rig.slotsInUse()) === 0);
  const paused = originates();
  await waitUntil('a try', () => originates() > paused);
  await waitUntil('the try to fail', async () => (await rig.slotsInUse()) === 0);
  expect(originates() - paused).toBeLessThanOrEqual(PROBE_DIALS);

  troubles.carrier('gw1', null);
  await rig.untilStatus(id, 'completed');
  expect(originates()).toBe(80);
  const reached = (await rig.attempts(id)).filter(attempt => attempt.callStatus === 'busy').length;
  expect(reached).toBeGreaterThanOrEqual(80 - MINIMUM - 6 * CONCURRENCY - 2 * PROBE_DIALS);
  // One alert per opening, however often the breaker probes.
  expect(await blockedEvents()).toHaveLength(1);
});

/** Like an operator at the switch's console. */
async function fsctl(order: 'pause' | 'resume'): Promise<void> {
  const connection = await openEsl({
    target: { host: '127.0.0.1', port: rig.simulator.port, password: SWITCH_PASSWORD },
    clock: systemClock,
    connectTimeoutMs: 2_000,
    silenceLimitMs: null,
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onClose: () => undefined,
  });
  expect(await connection.api(`fsctl ${order}`, 2_000)).toMatch(/^\+OK/);
  connection.destroy('done');
}

test.each([
  ['a paused switch', 'DESTINATION_OUT_OF_ORDER', 'fsctl pause', () => fsctl('pause'), () => fsctl('resume')],
  [
    'a gateway that is down',
    'GATEWAY_DOWN',
    '检查运营商连接',
    async (gateways: { gw1: GatewayState }) => void (gateways.gw1 = 'down'),
    async (gateways: { gw1: GatewayState }) => void (gateways.gw1 = 'up'),
  ],
])(
  '%s costs no contact an attempt, blocks at once and names the remedy; then the campaign continues',
  async (_what, cause, remedy, fail, mend) => {
    const gateways = await startWithGateway('up');
    const { database } = rig.server.running.context;
    const people = numbers(30);
    const { id } = await rig.campaign({ contacts: people, maxConcurrency: 2, maxRetries: 0 });
    await fail(gateways);
    await rig.start(id);
    const campaign = await waitUntil('the campaign to be blocked', async () => {
      const { data } = await rig.detail(id);
      return data.campaign.phase === 'SWITCH_UNREACHABLE' ? data.campaign : null;
    });
    expect(campaign.phaseReason).toContain(cause);
    expect(campaign.phaseReason).toContain(remedy);
    // At the third failure, not only when a share of many calls has failed.
    expect(originates()).toBeLessThan(MINIMUM);
    await waitUntil('the event', async () => (await blockedEvents()).length > 0);
    expect(await blockedEvents()).toEqual([expect.objectContaining({ level: 'error', campaignId: id })]);
    await waitUntil('the last dials to end', async () => (await rig.slotsInUse()) === 0);
    const spent = await database.rows(
      sql`select id from contact where campaign_id = ${id} and status <> 'submitted' and attempt_count <> 0`,
    );
    expect(spent).toEqual([]);

    await mend(gateways);
    // A refused contact rests for a while, which this test skips.
    await database.run(sql`update contact set retry_at = now() where campaign_id = ${id} and retry_at > now()`);
    await rig.untilStatus(id, 'completed');
    const attempts = await rig.attempts(id);
    const reached = attempts.filter(attempt => attempt.callStatus === 'busy').map(attempt => attempt.phoneNumber);
    expect(reached.toSorted()).toEqual(people.toSorted());
    // Claims that were not dialled went back when the campaign stopped.
    const refused = attempts.filter(({ callStatus, status }) => callStatus !== 'busy' && status !== 'cancelled');
    expect(new Set(refused.map(({ status, callStatus }) => `${status} ${callStatus}`))).toEqual(new Set(['failed failed']));
    expect(await blockedEvents()).toHaveLength(1);
  },
);

test('unanswered calls never pause a campaign', async () => {
  await startWithGateway('up');
  const { id } = await rig.campaign({ contacts: numbers(60), maxConcurrency: CONCURRENCY });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  expect(await blockedEvents()).toEqual([]);
});

test('a failing campaign pauses alone', async () => {
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
  await waitUntil('the event', async () => (await blockedEvents()).length > 0);
  expect((await blockedEvents()).map(event => event.campaignId)).toEqual([failing.id]);
});
