import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { redisActorStore } from '#adapters/redis/actor-store.ts';
import { connectRedis, type RedisLink } from '#adapters/redis/client.ts';
import { redisLiveCallStore } from '#adapters/redis/live-call-store.ts';
import type { ActorCommit, ActorStore } from '#ports/actor-store.ts';
import type { LiveSegment } from '#ports/live-call-store.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';

let fresh: FreshRedis;
let redis: RedisLink;
let store: ActorStore;

beforeAll(async () => {
  fresh = await freshRedis();
  redis = await connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  store = redisActorStore(redis);
});
afterAll(async () => {
  await redis.close();
  await fresh.release();
});

function commit(overrides: Partial<ActorCommit> = {}): ActorCommit {
  return { expectedVersion: 0, commandId: randomUUID(), snapshot: '{"v":1}', timers: {}, effects: [], effectLeaseMs: 60_000, ...overrides };
}

describe("captions share the call's version [A3, D9.1]", () => {
  const segment = (overrides: Partial<LiveSegment>): LiveSegment => ({
    segmentId: 's1',
    speaker: 'customer',
    text: '喂，您好',
    final: true,
    startMs: null,
    endMs: null,
    nodeId: null,
    at: 1,
    seq: null,
    ...overrides,
  });

  test('append bumps the version; the same text again is a duplicate; a later text replaces the earlier in its place', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit({ meta: '{"campaignId":5}' }));
    expect(await live.appendSegments(id, [segment({}), segment({ segmentId: 's2', speaker: 'bot', text: '您好' })])).toEqual({
      version: 2,
      campaignId: 5,
      accepted: [true, true],
    });
    expect(await live.appendSegments(id, [segment({})])).toEqual({ version: 2, campaignId: 5, accepted: [false] });
    expect((await live.appendSegments(id, [segment({ text: '喂，您好啊' })]))?.version).toBe(3);
    const [call] = await live.read([id, randomUUID()]);
    expect(call?.segments.map(({ segmentId, text }) => [segmentId, text])).toEqual([
      ['s1', '喂，您好啊'],
      ['s2', '您好'],
    ]);
    expect(await store.commit(id, commit({ expectedVersion: 1 }))).toEqual({ kind: 'conflict' });
  });

  test('keeps the last 200 [D9.2]', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    await live.appendSegments(
      id,
      Array.from({ length: 250 }, (_, index) => segment({ segmentId: `n${index}` })),
    );
    const [call] = await live.read([id]);
    expect(call?.segments).toHaveLength(200);
    expect(call?.segments[0]?.segmentId).toBe('n50');
  });

  test('an unknown call takes no caption', async () => {
    expect(await redisLiveCallStore(redis).appendSegments(randomUUID(), [segment({})])).toBeNull();
  });

  test('live ids are listed until the actor is removed', async () => {
    const id = randomUUID();
    await store.commit(id, commit());
    expect(await redisLiveCallStore(redis).listIds(10_000)).toContain(id);
    await store.remove(id);
    expect(await redisLiveCallStore(redis).listIds(10_000)).not.toContain(id);
  });
});
