import { afterEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectRedis } from '#platform/redis/client.ts';
import { allPartitions } from '#platform/redis/keys.ts';
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
    const second = await rig.serve();
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
    second.child.kill('SIGKILL');
    await second.exit;
    await rig.serve();
    // Killed between the ends of the calls and the moves of their journals, it has lost none of them (D14.9).
    await waitUntil(
      'every journal',
      async () => {
        await passRetention(rig.redis.url);
        const [missing] = await rig.rows(sql<{ count: number }>`
          select count(*)::int as count from attempt a where a.status = 'completed' and not exists (select from call_journal j where j.attempt_id = a.id)`);
        return missing?.count === 0;
      },
      30_000,
    );
  }, 180_000);
});

/** Lets the retention time of every call pass. */
async function passRetention(url: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const redis = await connectRedis({ url, connectTimeoutMs: 5_000, commandTimeoutMs: 5_000 });
  stack.defer(() => redis.close());
  await redis.run(async client => {
    for (const { due } of allPartitions())
      for (const timer of await client.zrange(due, 0, '-1')) if (timer.includes('.retention.')) await client.zadd(due, 'XX', 1, timer);
  });
}
