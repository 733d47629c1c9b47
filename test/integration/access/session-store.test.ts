import { systemClock } from '#kernel/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisSessionStore } from '#access/session-store.ts';
import type { Session, SessionStore } from '#access/sessions.ts';
import { type FreshRedis, freshRedis } from '#test/support/redis.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const LIFETIME_MS = 60_000;
const NOW = 1_790_000_000_000;
let now = NOW;
const clock = { ...systemClock, now: () => now };
let fresh: FreshRedis;
let link: RedisLink;
let store: SessionStore;
beforeAll(async () => {
  fresh = await freshRedis();
  link = await connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  store = redisSessionStore(link, clock);
});
afterAll(async () => {
  await link.close();
  await fresh.release();
});
beforeEach(async () => {
  now = NOW;
  await link.run(redis => redis.flushdb());
});

const session = (sessionId: string, userId = 1, at = NOW): Session => ({
  sessionId,
  userId,
  username: 'u',
  displayName: '用户',
  role: 'agent',
  expiresAt: at + LIFETIME_MS,
});

describe('sessions [D3.2]', () => {
  test('are found as created, until their lifetime ends', async () => {
    await store.create(session('a'), LIFETIME_MS);
    expect(await store.find('a')).toEqual(session('a'));
    await store.create(session('short'), 30);
    await waitUntil('the end of the session', async () => (await store.find('short')) === null);
    expect(await store.findLiving(['a', 'short', 'never'])).toEqual(new Set(['a']));
  });

  test('end at their time, even when the cache still has them', async () => {
    await store.create(session('a'), LIFETIME_MS);
    await link.run(redis => redis.persist('session:a'));
    now = NOW + LIFETIME_MS - 1;
    expect(await store.find('a')).toEqual(session('a'));
    now += 1;
    expect([await store.find('a'), await store.findLiving(['a'])]).toEqual([null, new Set()]);
  });

  test('that are read concurrently share one round trip, each with its own result', async () => {
    let trips = 0;
    const run: RedisLink['run'] = command => {
      trips += 1;
      return link.run(command);
    };
    const counted = redisSessionStore({ ...link, run }, clock);
    await store.create(session('a'), LIFETIME_MS);
    await store.create(session('b', 2), LIFETIME_MS);
    const found = await Promise.all(['a', 'never', 'b', 'a'].map(id => counted.find(id)));
    expect(found).toEqual([session('a'), null, session('b', 2), session('a')]);
    expect(trips).toBe(1);
  });

  test('end one by one, or all of one user and no other', async () => {
    for (const [id, userId] of [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['other', 2],
    ] as const)
      await store.create(session(id, userId), LIFETIME_MS);
    await store.remove(session('b'));
    expect((await store.removeAllOf(1, null)).sort()).toEqual(['a', 'c']);
    expect(await store.findLiving(['a', 'b', 'c', 'other'])).toEqual(new Set(['other']));
    expect(await store.removeAllOf(1, null)).toEqual([]);
  });

  test("all except the requester's own end, and that one stays listed", async () => {
    for (const id of ['a', 'b', 'c']) await store.create(session(id, 1), LIFETIME_MS);
    expect((await store.removeAllOf(1, 'b')).sort()).toEqual(['a', 'c']);
    expect(await store.findLiving(['a', 'b', 'c'])).toEqual(new Set(['b']));
    expect(await store.removeAllOf(1, null)).toEqual(['b']);
  });

  test('that have expired leave the list of their user', async () => {
    await store.create(session('old', 1, NOW), LIFETIME_MS);
    await store.create(session('new', 1, NOW + LIFETIME_MS + 1), LIFETIME_MS);
    expect(await store.removeAllOf(1, null)).toEqual(['new']);
  });

  test('are at most 500 per user: the oldest end', async () => {
    for (let index = 0; index < 502; index++) await store.create(session(`s${index}`, 1, NOW + index), LIFETIME_MS);
    expect(await store.findLiving(['s0', 's1', 's2', 's501'])).toEqual(new Set(['s2', 's501']));
    expect(await store.removeAllOf(1, null)).toHaveLength(500);
  });
});
