import { afterEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { maxAtOnce } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ServeRig, startServeRig } from '#test/support/serve-process.ts';

let rig: ServeRig;
afterEach(async () => {
  await rig.close();
});

describe('SIGKILL under load', () => {
  test('nobody is in two calls at once, everything settles after the next start [A6]', async () => {
    rig = await startServeRig({ talkMs: { minMs: 300, maxMs: 900 } });
    const first = await rig.serve();
    const campaignId = await rig.start(first, 40);
    await rig.untilDialled(14);
    first.child.kill('SIGKILL');
    expect(await first.exit).toBe('SIGKILL');
    await rig.serve();
    await rig.untilCompleted(campaignId);
    expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
    expect(maxAtOnce(rig.simulator, 'all')).toBeLessThanOrEqual(6);
    expect(await rig.openAttempts()).toEqual([]);
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
  });
});
