import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type Locks, redisLocks } from '#platform/redis/locks.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { runRetention } from '#privacy/retention.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const addOldRow = () =>
  server.running.context.database.run(sql`
    insert into audit_log (actor_name, action, target_type, summary, created_at) values ('a', 'line.updated', 'line', 's', now() - interval '25 hours')`);
const oldRows = () => server.running.context.database.rows(sql`select 1 from audit_log where created_at < now() - interval '24 hours'`);

test('of two servers on one cache one runs, the other does nothing until the next hour', async () => {
  const { redis, audit } = server.running.context;
  const answers: boolean[] = [];
  const runs: string[] = [];
  const noting = (locks: Locks): Locks => ({
    release: (name, token) => locks.release(name, token),
    async acquire(name, ttlMs) {
      const token = await locks.acquire(name, ttlMs);
      answers.push(token !== null);
      return token;
    },
  });
  const stop = new AbortController();
  const run = (name: string) =>
    runRetention(
      {
        removeSlice: () => {
          runs.push(name);
          return Promise.resolve({ removed: 0, next: null });
        },
        isLimitedByCampaigns: () => Promise.resolve(false),
        retentionLimits: { transcripts: 0, recordings: 0, attempts: 0, audit: 1, events: 0 },
        locks: noting(redisLocks(redis, systemIds)),
        audit,
        metrics: noMetrics,
        clock: systemClock,
        ids: systemIds,
        log: silentLog,
      },
      stop.signal,
    );
  const running = Promise.all([run('a'), run('b')]);
  await waitUntil('both have asked', () => answers.length === 2);
  await waitUntil('one has run', () => runs.length === 1);
  stop.abort();
  await running;
  expect([answers.filter(isTaken => isTaken), runs]).toEqual([[true], [expect.any(String)]]);
  expect(await redis.run(client => client.pttl('lock:retention'))).toBeGreaterThan(3_000_000);
  await redis.run(client => client.del('lock:retention'));
});

test('a server whose configuration sets a limit applies it by itself, and counts its work', async () => {
  await addOldRow();
  expect(await oldRows()).toHaveLength(1);
  const limited = await startTestServer({ beside: server, config: { retention: { auditDays: 1 } } });
  try {
    await waitUntil('the row is gone', async () => (await oldRows()).length === 0);
    await waitUntil('it is counted', async () =>
      (await limited.internal('GET', '/metrics')).text.includes('callout_retention_deleted_total{kind="audit"} 1'),
    );
  } finally {
    await limited.close();
  }
});
