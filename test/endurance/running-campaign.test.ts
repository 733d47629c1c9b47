import { afterEach, describe, expect, test } from '@jest/globals';
import { sleep, systemClock } from '#kernel/clock.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import {
  expectNobodyTwice,
  LONGEST_ANSWER_MS,
  type OutageRig,
  type Probe,
  startOutageRig,
  statusesOf,
  untilDialsGoOn,
} from './outage-rig.ts';

// A dependency is taken away under a running campaign and given back: responses meanwhile, and the state afterwards.

let outage: OutageRig;
afterEach(async () => {
  await outage.close();
});

/** Time for dials in progress at the outage to arrive, in ms. */
const LAST_DIALS_MS = 2_500;
/** How long the outage lasts after that, in ms. */
const HOLD_MS = 1_500;
const CONTACTS = 60;

const DOCUMENTED = [200, 401, 404, 409, 429, 502, 503];

interface Fault {
  /** Takes the dependency away. */
  begin(): Promise<void>;
  /** Gives the dependency back. */
  end(): Promise<void>;
}

const crash = (service: 'redis' | 'postgres' | 'nats'): Fault => ({
  begin: () => outage[service].kill(),
  end: () => outage[service].restart(),
});

/** The process stops responding while its sockets stay open, like a machine that swaps. */
const freeze = (service: 'redis' | 'nats'): Fault => ({
  begin: async () => void process.kill(outage[service].pid() ?? 0, 'SIGSTOP'),
  end: async () => void process.kill(outage[service].pid() ?? 0, 'SIGCONT'),
});

interface Course {
  campaignId: number;
  probes: readonly Probe[];
  /** Time from the end of the outage to the next dial, in ms. */
  wentOnAfterMs: number;
}

/** One outage mid-run, from the first calls to the end of the campaign. */
async function runThrough(fault: Fault): Promise<Course> {
  const { rig } = outage;
  const idle = await rig.campaign({ contacts: numbers(1, 13_700_000_000), workdayStart: hour(2), workdayEnd: hour(3) });
  const campaignId = await outage.running(CONTACTS);
  await fault.begin();
  const prober = outage.probe(idle.id);
  await sleep(systemClock, LAST_DIALS_MS);
  const before = rig.simulator.record().totals.originates;
  await sleep(systemClock, HOLD_MS);
  expect(rig.simulator.record().totals.originates - before).toBe(0);
  const during = [...prober.probes];
  const startedToReturnAt = Date.now();
  await fault.end();
  const backAt = Date.now();
  const wentOnAfterMs = Math.max(0, (await untilDialsGoOn(rig, startedToReturnAt)) - (backAt - startedToReturnAt));
  await outage.untilCompleted(campaignId);
  await prober.stop();
  process.stderr.write(
    `[outage] ${expect.getState().currentTestName}: dials went on after ${wentOnAfterMs} ms; longest answer ${Math.max(...prober.probes.map(p => p.ms))} ms\n`,
  );
  expectNobodyTwice(rig, 6);
  await outage.untilSlotsDrain();
  expect(prober.probes.filter(probe => !DOCUMENTED.includes(probe.status) || probe.ms > LONGEST_ANSWER_MS)).toEqual([]);
  expect(statusesOf(prober.probes, 'live')).toEqual([200]);
  return { campaignId, probes: during, wentOnAfterMs };
}

/** Local time that many hours from now, in the business time zone. */
function hour(offset: number): string {
  return new Date(Date.now() + (8 + offset) * 3_600_000).toISOString().slice(11, 16);
}

/** Every answered call's result is written: the bus kept what the server could not take. */
async function expectResultsKept(campaignId: number): Promise<void> {
  await waitUntil('every result', async () => {
    const statuses = await outage.statuses(campaignId);
    if ((statuses['completed'] ?? 0) < outage.reported.size) throw new Error(JSON.stringify({ statuses, reported: outage.reported.size }));
    return true;
  });
  expect(await outage.statuses(campaignId)).toMatchObject({ completed: CONTACTS });
}

describe('the cache is away', () => {
  test('killed and restarted with its data', async () => {
    outage = await startOutageRig();
    const { campaignId, probes } = await runThrough(crash('redis'));
    expect(statusesOf(probes, 'health')).toContain(503);
    for (const what of ['login', 'lines', 'dispatch', 'progress']) expect(statusesOf(probes, what)).toContain(503);
    await expectResultsKept(campaignId);
  }, 150_000);

  test('killed and restarted without its data', async () => {
    outage = await startOutageRig({ redisProfile: 'test' });
    const { campaignId } = await runThrough(crash('redis'));
    await expectResultsKept(campaignId);
  }, 150_000);

  test('frozen for a while', async () => {
    outage = await startOutageRig();
    const { campaignId, probes } = await runThrough(freeze('redis'));
    expect(statusesOf(probes, 'health')).toContain(503);
    await expectResultsKept(campaignId);
  }, 150_000);
});

describe('the database is away', () => {
  test('killed and restarted', async () => {
    outage = await startOutageRig();
    const { campaignId, probes } = await runThrough(crash('postgres'));
    expect(statusesOf(probes, 'health')).toContain(503);
    for (const what of ['login', 'lines', 'dispatch', 'result', 'overview']) expect(statusesOf(probes, what)).toContain(503);
    await expectResultsKept(campaignId);
  }, 150_000);
});

describe('the bus is away', () => {
  test('killed and restarted', async () => {
    outage = await startOutageRig();
    const { campaignId, probes } = await runThrough(crash('nats'));
    expect(statusesOf(probes, 'health')).toEqual([200]);
    expect(probes.some(probe => probe.what === 'health' && probe.text.includes('"degraded"'))).toBe(true);
    expect(statusesOf(probes, 'dispatch')).toContain(503);
    await expectResultsKept(campaignId);
  }, 150_000);
});

describe('the cell is away', () => {
  test('killed: its calls are lost, the rest is dialled after its return', async () => {
    outage = await startOutageRig();
    const { rig } = outage;
    const { campaignId, probes } = await runThrough({ begin: async () => rig.simulator.faults.kill(4_500), end: () => untilCellIsUp() });
    expect(statusesOf(probes, 'health')).toEqual([200]);
    const statuses = await outage.statuses(campaignId);
    expect(Object.keys(statuses).filter(status => !['completed', 'outcome_unknown', 'failed', 'cancelled'].includes(status))).toEqual([]);
  }, 150_000);

  test('frozen: no slot is released on a guess', async () => {
    outage = await startOutageRig();
    const { rig } = outage;
    await runThrough({ begin: async () => rig.simulator.faults.freeze(), end: async () => rig.simulator.faults.thaw() });
  }, 150_000);
});

async function untilCellIsUp(): Promise<void> {
  await waitUntil('the cell', async () => (await outage.rig.server.api('GET', '/health')).data.switch[0]?.ok === true);
}
