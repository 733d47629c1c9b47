import { afterEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { maxAtOnce } from '#test/support/dispatch-rig.ts';
import { loopStall } from '#test/support/loop-stall.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ServeProcess, type ServeRig, startServeRig } from '#test/support/serve-process.ts';

let rig: ServeRig;
const stall = loopStall();
afterEach(async () => {
  stall.stop();
  await rig.close();
});

/** Time for writes that were in progress when the drain began to leave the socket, in ms. */
const ON_ITS_WAY_MS = 300;

/** Dials that reached the switch after the server had logged its drain, not counting those already on their way. */
function dialsDuringDrain(server: ServeProcess) {
  const line = server
    .output()
    .split('\n')
    .find(text => text.includes('"draining"'));
  const drainedFrom = Date.parse(JSON.parse(line ?? '{}').time);
  expect(drainedFrom).toBeGreaterThan(0);
  return rig.simulator.record().originates.filter(({ at }) => at > drainedFrom + ON_ITS_WAY_MS + stall.longestMs());
}

describe('SIGTERM under load', () => {
  test('no new dial, live calls end, the last results are written, exit 0, nothing is orphaned; the next start continues', async () => {
    rig = await startServeRig({ talkMs: { minMs: 300, maxMs: 900 } });
    const first = await rig.serve();
    const campaignId = await rig.start(first, 40);
    await rig.untilDialled(12);
    stall.start();
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(first.errors()).toBe('');
    expect(dialsDuringDrain(first)).toEqual([]);
    expect(rig.simulator.record().concurrency.all.now).toBe(0);
    expect(await rig.openAttempts()).toEqual([]);
    const second = await rig.serve();
    await rig.untilCompleted(campaignId);
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    expect(rig.simulator.record().totals.originates).toBe(40);
    expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
  });

  test('claims that wait for their call interval are returned instead of dialled during the drain', async () => {
    rig = await startServeRig({ talkMs: { minMs: 50, maxMs: 100 } });
    const server = await rig.serve();
    await rig.start(server, 40, { callIntervalMs: 200, maxConcurrency: 40 });
    await rig.untilDialled(4);
    stall.start();
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    expect(dialsDuringDrain(server)).toEqual([]);
    expect(await rig.openAttempts()).toEqual([]);
  });

  test('calls that do not end are excluded from the drain, not from the switch: the next start takes them over', async () => {
    rig = await startServeRig({ talkMs: { minMs: 6_000, maxMs: 6_500 }, drainTimeoutMs: 700 });
    const first = await rig.serve();
    const campaignId = await rig.start(first, 6);
    await waitUntil('live calls', () => rig.simulator.record().totals.answered === 6);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(rig.simulator.record().concurrency.all.now).toBe(6);
    await rig.serve();
    await rig.untilCompleted(campaignId);
    expect(rig.simulator.record().totals.originates).toBe(6);
    const rows = await rig.rows(sql<{ status: string }>`select distinct status from attempt`);
    expect(rows).toEqual([{ status: 'completed' }]);
  });

  test('a second signal ends it at once', async () => {
    rig = await startServeRig({ talkMs: { minMs: 20_000, maxMs: 20_000 }, drainTimeoutMs: 60_000 });
    const server = await rig.serve();
    await rig.start(server, 3);
    await waitUntil('live calls', () => rig.simulator.record().totals.answered === 3);
    server.child.kill('SIGTERM');
    await waitUntil('the drain', () => server.output().includes('draining'));
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(143);
  });

  test('a manual dispatch is refused during the drain', async () => {
    rig = await startServeRig({ talkMs: { minMs: 4_000, maxMs: 4_500 } });
    const server = await rig.serve();
    const campaignId = await rig.start(server, 8, { maxConcurrency: 2 });
    await waitUntil('live calls', () => rig.simulator.record().totals.answered === 2);
    server.child.kill('SIGTERM');
    await waitUntil('the drain', () => server.output().includes('draining'));
    expect((await server.api('POST', `/api/campaigns/${campaignId}/dispatch`, { limit: 1 })).status).toBe(503);
    expect(await server.exit).toBe(0);
    expect(rig.simulator.record().totals.originates).toBe(2);
  });

  test.each(['redis', 'nats'] as const)('without %s it still exits by itself with 0', async service => {
    rig = await startServeRig({ talkMs: { minMs: 100, maxMs: 300 }, drainTimeoutMs: 1_000 });
    const server = await rig.serve();
    await rig.start(server, 40);
    await rig.untilDialled(8);
    await rig[service].kill();
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
  });
});
