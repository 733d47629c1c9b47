import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectRedis, defineScript, type RedisLink, type ScriptCall } from '#platform/redis/client.ts';
import { gatheredEval } from '#platform/redis/gathered-eval.ts';
import { CalloutError } from '#kernel/errors.ts';
import { type FreshRedis, freshRedis } from '#test/support/redis.ts';

const RELEASE_LOCK = defineScript('release-lock-1.lua');

let redis: FreshRedis;
let link: RedisLink;
beforeAll(async () => {
  redis = await freshRedis();
  link = await connectRedis({ url: redis.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
});
afterAll(async () => {
  await link.close();
  await redis.release();
});

const release = (name: string): ScriptCall => ({ keys: [name], args: ['mine'] });

/** The connection with its round trips counted. */
function counting(): { link: RedisLink; trips: number[] } {
  const trips: number[] = [];
  const evalMany: RedisLink['evalMany'] = (script, calls) => {
    trips.push(calls.length);
    return link.evalMany(script, calls);
  };
  return { link: { ...link, evalMany }, trips };
}

describe('a script with many callers', () => {
  test('calls of one turn are sent together and each gets its own result', async () => {
    const { link: counted, trips } = counting();
    const run = gatheredEval(counted, RELEASE_LOCK);
    await link.run(client => client.mset({ a: 'mine', b: 'theirs', c: 'mine' }));
    expect(await Promise.all(['a', 'b', 'c'].map(name => run(release(name))))).toEqual([1, 0, 1]);
    expect(trips).toEqual([3]);
    expect(await run(release('a'))).toBe(0);
    expect(trips).toEqual([3, 1]);
  });

  test('many calls are sent in groups of 200, or as few as the caller allows', async () => {
    const { link: counted, trips } = counting();
    const run = gatheredEval(counted, RELEASE_LOCK);
    await Promise.all(Array.from({ length: 450 }, (_, index) => run(release(`n${index}`))));
    expect(trips).toEqual([200, 200, 50]);
    const runSmall = gatheredEval(counted, RELEASE_LOCK, 16);
    await Promise.all(Array.from({ length: 40 }, (_, index) => runSmall(release(`n${index}`))));
    expect(trips.slice(3)).toEqual([16, 16, 8]);
  });

  test('an outage of the cache fails all that were sent together', async () => {
    const away: RedisLink = { ...link, evalMany: () => Promise.reject(new CalloutError('CACHE_UNAVAILABLE', '共享缓存暂不可用')) };
    const run = gatheredEval(away, RELEASE_LOCK);
    const outcomes = await Promise.allSettled([run(release('a')), run(release('b'))]);
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected']);
  });
});
