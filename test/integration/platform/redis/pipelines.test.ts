import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisLiveCallStore } from '#calls/live-call-store.ts';
import { redisMonitorRegistry } from '#monitoring/monitor-store.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';

// A pipeline without a connection resolves with an error in place of each reply, which must not become a 500.

let service: PrivateService;
let link: RedisLink;
beforeAll(async () => {
  service = await startPrivateService('redis');
  link = await connectRedis({ url: service.url, connectTimeoutMs: 2_000, commandTimeoutMs: 800 });
  await service.kill();
  await waitUntil('the loss to be noticed', () => !link.isReady());
});
afterAll(async () => {
  await link.close();
  await service.stop();
});

test.each<[string, () => Promise<unknown>]>([
  ['what slots are used', () => redisSlotRegistry(link, { leaseMs: 30_000 }).usage([{ kind: 'cell', cellId: 'cell-1' }])],
  ['the calls of a monitor', () => redisMonitorRegistry(link).callsOf(1)],
  ['the live calls', () => redisLiveCallStore(link).listIds(10)],
  ['some live calls', () => redisLiveCallStore(link).read(['4d5f3a1e-9a0c-4a55-8a51-6a2f0f3f0a11'])],
])('%s of an unavailable cache are CACHE_UNAVAILABLE [A3]', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({ code: 'CACHE_UNAVAILABLE', retryable: true });
});
