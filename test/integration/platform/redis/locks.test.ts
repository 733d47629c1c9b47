import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisLocks } from '#platform/redis/locks.ts';
import { systemIds } from '#kernel/ids.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let service: PrivateService;
let link: RedisLink;
let other: RedisLink;
beforeAll(async () => {
  service = await startPrivateService('redis', 'durable');
  const config = { url: service.url, connectTimeoutMs: 2_000, commandTimeoutMs: 200 };
  [link, other] = await Promise.all([connectRedis(config), connectRedis(config)]);
});
afterAll(async () => {
  await Promise.all([link.close(), other.close()]);
  await service.stop();
});

const LONG_MS = 60_000;
const unavailable = { code: 'CACHE_UNAVAILABLE' };

async function frozen(work: () => Promise<void>): Promise<void> {
  const pid = service.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await waitUntil('the cache', () => link.run(client => client.ping()));
}

/** Redis may respond before it has written: during a sync of the file it delays writes, and a kill loses them. */
async function written(): Promise<void> {
  await waitUntil('the append-only file', async () =>
    /^aof_buffer_length:0\r$/m.test(await link.run(client => client.info('persistence'))),
  );
}

describe('a lock', () => {
  test('has one holder, who alone can release it', async () => {
    const [ours, theirs] = [redisLocks(link, systemIds), redisLocks(other, systemIds)];
    const token = await ours.acquire('campaign:1', LONG_MS);
    expect(token).not.toBeNull();
    expect(await ours.acquire('campaign:1', LONG_MS)).toBeNull();
    expect(await theirs.acquire('campaign:1', LONG_MS)).toBeNull();
    await theirs.release('campaign:1', 'another token');
    expect(await theirs.acquire('campaign:1', LONG_MS)).toBeNull();
    await ours.release('campaign:1', token ?? '');
    expect(await theirs.acquire('campaign:1', LONG_MS)).not.toBeNull();
  });

  test('whose release was lost with the cache is free at once for its own process, and for no other', async () => {
    const [ours, theirs] = [redisLocks(link, systemIds), redisLocks(other, systemIds)];
    const token = (await ours.acquire('campaign:2', LONG_MS)) ?? '';
    await written();
    await service.kill();
    await expect(ours.release('campaign:2', token)).rejects.toMatchObject(unavailable);
    await service.restart();
    await waitUntil('the cache', () => Promise.all([link.run(client => client.ping()), other.run(client => client.ping())]));
    expect(await theirs.acquire('campaign:2', LONG_MS)).toBeNull();
    expect(await ours.acquire('campaign:2', LONG_MS)).not.toBeNull();
    expect(await ours.acquire('campaign:2', LONG_MS)).toBeNull();
  });

  test('that was acquired although the reply was lost is ours when we request it again', async () => {
    const ours = redisLocks(link, systemIds);
    await frozen(async () => {
      await expect(ours.acquire('campaign:3', LONG_MS)).rejects.toMatchObject(unavailable);
    });
    expect(await ours.acquire('campaign:3', LONG_MS)).not.toBeNull();
  });
});
