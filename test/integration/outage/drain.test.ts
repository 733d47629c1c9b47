import { afterEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { maxAtOnce } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ServeRig, startServeRig } from './serve-process.ts';

// Stops of `serve` during a run: one signal, two signals, and SIGKILL.

let rig: ServeRig;
afterEach(async () => {
  await rig.close();
});

/** Time for writes that were in progress at the signal to leave the socket, in ms. */
const ON_ITS_WAY_MS = 300;

const openAttempts = async () =>
  (await rig.rows(sql<{ status: string }>`select status from attempt where status in ('claimed', 'dialing', 'accepted', 'answered')`)).map(
    row => row.status,
  );

async function untilDialled(count: number): Promise<void> {
  await waitUntil(`${count} dials`, () => rig.simulator.record().totals.originates >= count);
}

async function untilCompleted(campaignId: number): Promise<void> {
  await waitUntil(
    'the campaign to complete',
    async () => {
      const [row] = await rig.rows(sql<{ status: string; phase: string }>`select status, phase from campaign where id = ${campaignId}`);
      if (row?.status !== 'completed') throw new Error(JSON.stringify(row));
      return true;
    },
    40_000,
  );
}

const dialsAfter = (at: number) => rig.simulator.record().originates.filter(originate => originate.at > at);

describe('SIGTERM under load', () => {
  test('no new dial, live calls end, the last results are written, exit 0, nothing is orphaned; the next start continues', async () => {
    rig = await startServeRig({ talkMs: { minMs: 300, maxMs: 900 } });
    const first = await rig.serve();
    const campaignId = await rig.start(first, 40);
    await untilDialled(12);
    first.child.kill('SIGTERM');
    const signalledAt = Date.now();
    expect(await first.exit).toBe(0);
    expect(first.errors()).toBe('');
    expect(dialsAfter(signalledAt + ON_ITS_WAY_MS)).toEqual([]);
    expect(rig.simulator.record().concurrency.all.now).toBe(0);
    expect(await openAttempts()).toEqual([]);
    const second = await rig.serve();
    await untilCompleted(campaignId);
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
    expect(rig.simulator.record().totals.originates).toBe(40);
    expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
  }, 60_000);

  test('claims that wait for their call interval are returned instead of dialled during the drain', async () => {
    rig = await startServeRig({ talkMs: { minMs: 50, maxMs: 100 } });
    const server = await rig.serve();
    await rig.start(server, 40, { callIntervalMs: 200, maxConcurrency: 40 });
    await untilDialled(4);
    server.child.kill('SIGTERM');
    const signalledAt = Date.now();
    expect(await server.exit).toBe(0);
    expect(dialsAfter(signalledAt + ON_ITS_WAY_MS)).toEqual([]);
    expect(await openAttempts()).toEqual([]);
  }, 60_000);

  test('calls that do not end are excluded from the drain, not from the switch: the next start takes them over', async () => {
    rig = await startServeRig({ talkMs: { minMs: 4_000, maxMs: 4_500 }, drainTimeoutMs: 700 });
    const first = await rig.serve();
    const campaignId = await rig.start(first, 6);
    await waitUntil('live calls', () => rig.simulator.record().totals.answered === 6);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(rig.simulator.record().concurrency.all.now).toBe(6);
    await rig.serve();
    await untilCompleted(campaignId);
    expect(rig.simulator.record().totals.originates).toBe(6);
    const rows = await rig.rows(sql<{ status: string }>`select distinct status from attempt`);
    expect(rows).toEqual([{ status: 'completed' }]);
  }, 60_000);

  test('a second signal ends it at once', async () => {
    rig = await startServeRig({ talkMs: { minMs: 20_000, maxMs: 20_000 }, drainTimeoutMs: 60_000 });
    const server = await rig.serve();
    await rig.start(server, 3);
    await waitUntil('live calls', () => rig.simulator.record().totals.answered === 3);
    server.child.kill('SIGTERM');
    await waitUntil('the drain', () => server.output().includes('draining'));
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(143);
  }, 60_000);

  test('a manual dispatch is refused during the drain', async () => {
    rig = await startServeRig({ talkMs: { minMs: 2_000, maxMs: 2_500 } });
    const server = await rig.serve();
    const campaignId = await rig.start(server, 8, { maxConcurrency: 2 });
    await waitUntil('live calls', () => rig.simulator.record().totals.answered === 2);
    server.child.kill('SIGTERM');
    await waitUntil('the drain', () => server.output().includes('draining'));
    expect((await server.api('POST', `/api/campaigns/${campaignId}/dispatch`, { limit: 1 })).status).toBe(503);
    expect(await server.exit).toBe(0);
    expect(rig.simulator.record().totals.originates).toBe(2);
  }, 60_000);

  test.each(['redis', 'nats'] as const)(
    'without %s it still exits by itself with 0',
    async service => {
      rig = await startServeRig({ talkMs: { minMs: 100, maxMs: 300 }, drainTimeoutMs: 1_000 });
      const server = await rig.serve();
      await rig.start(server, 40);
      await untilDialled(8);
      await rig[service].kill();
      server.child.kill('SIGTERM');
      expect(await server.exit).toBe(0);
    },
    60_000,
  );
});

describe('SIGKILL under load', () => {
  test('nobody is in two calls at once, everything settles after the next start [A6]', async () => {
    rig = await startServeRig({ talkMs: { minMs: 300, maxMs: 900 } });
    const first = await rig.serve();
    const campaignId = await rig.start(first, 40);
    await untilDialled(14);
    first.child.kill('SIGKILL');
    expect(await first.exit).toBe('SIGKILL');
    await rig.serve();
    await untilCompleted(campaignId);
    expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
    expect(maxAtOnce(rig.simulator, 'all')).toBeLessThanOrEqual(6);
    expect(await openAttempts()).toEqual([]);
    // Messages that the killed process had received and not applied are redelivered.
    await waitUntil(
      'every result',
      async () => {
        const called = rig.simulator.record().channels.filter(channel => channel.answeredAt !== null).length;
        const [completed] = await rig.rows(sql<{ count: number }>`select count(*)::int as count from attempt where status = 'completed'`);
        return completed?.count === called;
      },
      30_000,
    );
  }, 90_000);
});
