import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askFor, connectClient, follow } from './graphql-client.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { silentLog } from '#kernel/log.ts';

interface Told {
  parts?: { part: string; level: string; message: string | null; since: string }[];
  now?: object;
  reason?: string;
}

let redis: PrivateService;
let server: TestServer;
beforeAll(async () => {
  redis = await startPrivateService('redis', 'durable');
  server = await startTestServer({ config: { cache: { url: redis.url } }, log: silentLog });
});
afterAll(async () => {
  await server?.close();
  await redis?.stop();
});

test('while Redis is down the stream continues and reports it; parts that need Redis are unknown, and start again afterwards [D14.1, I8]', async () => {
  const token = await server.loginAs('admin');
  // Load GraphQL before the outage: it is loaded at its first use.
  expect((await askFor(server, token, '{ health { part level } }')).health).toContainEqual({ part: 'CACHE', level: 'GREEN' });
  const { client } = connectClient(server, token);
  const parts = 'parts { part level message since }';
  const health = follow<Told>(
    client,
    `subscription { health { ... on HealthSnapshot { ${parts} } ... on HealthChanged { ${parts} } } }`,
    'health',
  );
  const overview = follow<Told>(
    client,
    `subscription { runtimeOverview { ... on RuntimeOverviewSnapshot { now { overview { activeContacts } } } ... on Resync { reason } } }`,
    'runtimeOverview',
  );
  const cacheIn = (told: Told) => told.parts?.find(({ part }) => part === 'CACHE');
  await health.until('Redis there', told => cacheIn(told)?.level === 'GREEN');
  await overview.until('the snapshot', told => told.now !== undefined);
  await redis.kill();
  const fault = await health.until('Redis away', told => cacheIn(told)?.level === 'RED');
  expect(cacheIn(fault)?.message).toMatch(/^Redis 没有响应：恢复前不会拨出/);
  await overview.until('the outage', told => told.reason === 'SOURCE_UNAVAILABLE');
  await redis.restart();
  await health.until(
    'Redis back',
    told => told !== fault && health.events.indexOf(told) > health.events.indexOf(fault) && cacheIn(told)?.level === 'GREEN',
  );
  await overview.until('the next snapshot', told => told.now !== undefined && overview.events.indexOf(told) > 1);
  await client.dispose();
});
