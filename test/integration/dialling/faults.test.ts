import { afterEach, describe, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, maxAtOnce, numbers, startDispatchRig, wipeLiveState } from '#test/support/dispatch-rig.ts';
import { startTestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: DispatchRig;
afterEach(async () => {
  await rig.close();
});

/** The waits of the crash table, shortened so that a lost reply does not outlast a test. */
const QUICK = { dispatch: { graceMs: 600, resultGraceSeconds: 2, reservationLeaseMs: 2_000 } };

async function untilDialled(count: number): Promise<void> {
  await waitUntil(`${count} dials`, () => rig.simulator.record().totals.originates >= count);
}

function expectNobodyTwiceAtOnce(limit: number): void {
  expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
  expect(maxAtOnce(rig.simulator, 'all')).toBeLessThanOrEqual(limit);
}

describe('the switch fails', () => {
  test('a cell that drops its connections: dispatch pauses and continues by itself [A6 step 11]', async () => {
    rig = await startDispatchRig({ config: QUICK });
    const { id } = await rig.campaign({ contacts: numbers(30), maxConcurrency: 5 });
    await rig.start(id);
    await untilDialled(6);
    rig.simulator.faults.dropConnections();
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(5);
    // A command that was on its way when the socket closed never reached the switch: its outcome is unknown, and nobody dials it again (D7.8).
    const unknown = (await rig.attempts(id)).filter(attempt => attempt.status === 'outcome_unknown').length;
    expect(rig.simulator.record().totals.originates + unknown).toBe(30);
    expect(unknown).toBeLessThanOrEqual(5);
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
  });

  test('a killed switch loses its calls: each is closed, slots are freed, the rest is dialled after its return [A6 steps 5, 8]', async () => {
    rig = await startDispatchRig({ config: QUICK });
    const { id } = await rig.campaign({ contacts: numbers(20), maxConcurrency: 4 });
    await rig.start(id);
    await untilDialled(5);
    rig.simulator.faults.kill(500);
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(4);
    const attempts = await rig.attempts(id);
    expect(attempts.filter(attempt => !['completed', 'outcome_unknown', 'failed', 'cancelled'].includes(attempt.status))).toEqual([]);
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
  });

  test('lost replies and events are reconciled, never redialled [A6 step 6, I2]', async () => {
    rig = await startDispatchRig({ config: QUICK });
    const { id } = await rig.campaign({ contacts: numbers(12), maxConcurrency: 3 });
    rig.simulator.faults.loseReplies(4, 'bgapi');
    rig.simulator.faults.loseEvents(6);
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(3);
    expect(rig.simulator.record().totals.originates).toBe(12);
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
  });

  test('duplicated and swapped events change nothing [esl §3]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(15), maxConcurrency: 5 });
    rig.simulator.faults.duplicateEvents(200);
    rig.simulator.faults.swapEvents(20);
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(5);
    const attempts = await rig.attempts(id);
    expect(attempts.map(attempt => attempt.status)).toEqual(attempts.map(() => 'completed'));
  });

  test('without a reachable cell the campaign reports it and continues within 5 s of its return [D5.1]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(2) });
    rig.simulator.faults.kill(2_500);
    await waitUntil('the cell to be down', async () => (await rig.server.api('GET', '/health')).data.switch[0].ok === false);
    await rig.start(id);
    await waitUntil('the phase', async () => (await rig.detail(id)).data.campaign.phase === 'SWITCH_UNREACHABLE');
    expect(rig.simulator.record().totals.originates).toBe(0);
    await rig.untilStatus(id, 'completed');
    expect(rig.simulator.record().totals.originates).toBe(2);
  });
});

describe('the stores fail', () => {
  test('a wiped cache is rebuilt from attempts and channels before anybody is dialled again [A6 step 10, I1]', async () => {
    rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 1_500, maxMs: 2_500 } }), config: QUICK });
    const { id } = await rig.campaign({ contacts: numbers(16), maxConcurrency: 4 });
    await rig.start(id);
    await untilDialled(4);
    await wipeLiveState(rig.server);
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(4);
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
  });

  test('a restarting bus delays results, but loses none', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(20), maxConcurrency: 5 });
    await rig.start(id);
    await untilDialled(5);
    await rig.server.nats.restart();
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(5);
    expect(rig.simulator.record().totals.originates).toBe(20);
  });
});

describe('instances start and stop [A1.1]', () => {
  test('a second instance shares the work; when the first stops mid-run, nobody is dialled twice and the campaign completes', async () => {
    rig = await startDispatchRig();
    const { cells, businesses } = rig.server.config;
    const second = await startTestServer({ beside: rig.server, config: { cells, businesses } });
    const { id } = await rig.campaign({ contacts: numbers(40), maxConcurrency: 6 });
    await rig.start(id);
    await untilDialled(10);
    await second.close();
    await rig.untilStatus(id, 'completed');
    expectNobodyTwiceAtOnce(6);
    expect(rig.simulator.record().totals.originates).toBe(40);
    // A claim that could not be dialled in time is withdrawn: it reached no switch and cost no attempt.
    const dialled = (await rig.attempts(id)).filter(attempt => attempt.status !== 'cancelled');
    expect(dialled.map(attempt => attempt.status)).toEqual(Array.from({ length: 40 }, () => 'completed'));
  });
});
