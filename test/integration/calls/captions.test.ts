import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { redisActorStore } from '#platform/redis/actor-store.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { captionKeys } from '#platform/redis/keys.ts';
import { type LiveSegment, redisLiveCallStore } from '#calls/live-call-store.ts';
import type { ActorCommit, ActorStore } from '#platform/actor-host/actor-store.ts';
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

  test('each appended caption is a version; the same text again is a duplicate; a later text replaces the earlier one', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit({ meta: '{"campaignId":5}' }));
    expect(await live.appendSegments(id, [segment({}), segment({ segmentId: 's2', speaker: 'bot', text: '您好' })])).toEqual({
      version: 3,
      campaignId: 5,
      intentKeywords: [],
      accepted: [true, true],
    });
    expect(await live.appendSegments(id, [segment({})])).toEqual({ version: 3, campaignId: 5, intentKeywords: [], accepted: [false] });
    expect((await live.appendSegments(id, [segment({ text: '喂，您好啊' })]))?.version).toBe(4);
    const [call] = await live.read([id, randomUUID()]);
    expect(call?.segments.map(({ segmentId, text }) => [segmentId, text])).toEqual([
      ['s1', '喂，您好啊'],
      ['s2', '您好'],
    ]);
    expect(await store.commit(id, commit({ expectedVersion: 1 }))).toMatchObject({ kind: 'conflict' });
  });

  describe('ownership of captions [A4, D9.1]', () => {
    const held = (context: object) => JSON.stringify({ v: 4, value: { open: { live: 'served' } }, context });
    async function call(context: object) {
      const live = redisLiveCallStore(redis);
      const id = randomUUID();
      await store.commit(id, commit({ snapshot: held(context) }));
      let version = 1;
      return {
        hand: async (next: object) => {
          const [known] = await live.versions([id]).then(versions => [...versions.values()]);
          version = known ?? version;
          await store.commit(id, commit({ expectedVersion: version, commandId: randomUUID(), snapshot: held(next) }));
        },
        said: async (epoch: number | null, segmentId: string, seq: number, runtimeId: string | null = null) =>
          (await live.appendSegments(id, [segment({ segmentId, seq })], { epoch, runtimeId }))?.accepted,
      };
    }
    const STALE = { code: 'STALE_EPOCH' };
    const owned = { epoch: 7, epochBase: 3, runtimeTaken: true, owner: 'runtime-1' };

    test("the new owner of a call starts a new sequence, and the previous owner's captions are refused", async () => {
      const { said, hand } = await call(owned);
      expect(await said(7, 's1', 1)).toEqual([true]);
      expect(await said(7, 's1', 1)).toEqual([false]);
      await hand({ ...owned, epoch: 8, owner: 'runtime-2' });
      await expect(said(7, 's2', 2)).rejects.toMatchObject(STALE);
      expect(await said(8, '8-s1', 1)).toEqual([true]);
      expect(await said(8, '8-s2', 2)).toEqual([true]);
    });

    test('a hand-over that was never made is not accepted from anyone, and the owner continues', async () => {
      const { said } = await call(owned);
      for (const epoch of [8, 999]) await expect(said(epoch, 'liar', 1)).rejects.toMatchObject(STALE);
      expect(await said(7, 's1', 1)).toEqual([true]);
    });

    test('another runtime than the owner is recognised by its name', async () => {
      const { said } = await call(owned);
      for (const epoch of [7, null]) await expect(said(epoch, 'liar', 1, 'runtime-9')).rejects.toMatchObject(STALE);
      expect(await said(7, 's1', 1, 'runtime-1')).toEqual([true]);
    });

    test("a runtime with a pending hand-over may send first; a text in the call's data cannot pose as its owner", async () => {
      const { said } = await call({ epoch: 7, tried: ['runtime-1'], owner: 'runtime-1', runtimeTaken: false });
      expect(await said(7, 's1', 1, 'runtime-2')).toEqual([true]);
      const other = await call({ campaign: '"epoch":99,"owner":"x"', ...owned });
      await expect(other.said(99, 's1', 1)).rejects.toMatchObject(STALE);
      expect(await other.said(7, 's1', 1, 'runtime-1')).toEqual([true]);
    });

    test('captions of a runtime from which the call was released are rejected, whatever epoch it claims', async () => {
      const { said } = await call({ epoch: 7, tried: ['runtime-1', 'runtime-2'], declinedEpoch: 6 });
      await expect(said(7, 'liar', 1, 'runtime-2')).rejects.toMatchObject(STALE);
      expect(await said(7, 's1', 1, 'runtime-3')).toEqual([true]);
      const resting = await call({ epoch: 7, tried: [], declinedEpoch: 7 });
      await expect(resting.said(7, 'liar', 1, 'runtime-2')).rejects.toMatchObject(STALE);
      expect(await resting.said(7, 's1', 1)).toEqual([true]);
    });

    test('a hand-over from before a loss of the live state counts until another runtime has the call', async () => {
      const { said, hand } = await call({ epoch: 100, epochBase: 100 });
      expect(await said(2, 's1', 1)).toEqual([true]);
      await hand({ ...owned, epoch: 101, epochBase: 100 });
      await expect(said(2, 's2', 2)).rejects.toMatchObject(STALE);
    });
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

  test('after the oldest are dropped a later text still finds its place, and a dropped one starts again at the end [D9.1, D9.2]', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => segment({ segmentId: `n${from + index}` }));
    await live.appendSegments(id, numbered(0, 150));
    await live.appendSegments(id, numbered(150, 100));
    expect(
      (await live.appendSegments(id, [segment({ segmentId: 'n60', text: '更正' }), segment({ segmentId: 'n249' })]))?.accepted,
    ).toEqual([true, false]);
    await live.appendSegments(id, [segment({ segmentId: 'n3', text: '又来' })]);
    const segments = (await live.read([id]))[0]?.segments ?? [];
    expect(segments).toHaveLength(200);
    expect(segments.findIndex(({ text }) => text === '更正')).toBe(9);
    expect(segments.slice(-2).map(({ segmentId }) => segmentId)).toEqual(['n249', 'n3']);
  });

  test('the same seq is a duplicate whatever its text, so that a repeated report undoes no correction [D9.1]', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    const accepted = async (...segments: LiveSegment[]) => (await live.appendSegments(id, segments))?.accepted;
    expect(await accepted(segment({ seq: 1, text: '我想' }), segment({ seq: 2, text: '我想办理' }))).toEqual([true, true]);
    expect(await accepted(segment({ seq: 1, text: '我想' }), segment({ seq: 2, segmentId: 'other' }))).toEqual([false, false]);
    expect((await live.read([id]))[0]?.segments.map(({ text }) => text)).toEqual(['我想办理']);
  });

  test('of two texts of a caption the one with the higher seq is the later, in any order of arrival [D9.1]', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    const texts = [
      segment({ seq: 4, text: '我想办理' }),
      segment({ seq: 3, text: '我想' }),
      segment({ seq: 5, segmentId: 's2', text: '好' }),
    ];
    expect((await live.appendSegments(id, texts))?.accepted).toEqual([true, false, true]);
    expect((await live.read([id]))[0]?.segments.map(({ text }) => text)).toEqual(['我想办理', '好']);
  });

  test('seqs in any order, with gaps, are each accepted once [D9.1]', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    const orders = [[5, 3, 9, 4, 1], [7, 8, 6, 2, 10], Array.from({ length: 10 }, (_, index) => index + 1), [0, 1_795_376_749_487]];
    const said = async (order: readonly number[]) =>
      (
        await live.appendSegments(
          id,
          order.map(seq => segment({ seq, segmentId: `n${seq}-${randomUUID()}` })),
        )
      )?.accepted;
    const [first = [], second = [], again = [], far = []] = orders;
    expect(await said(first)).toEqual(Array(5).fill(true));
    expect(await said(second)).toEqual(Array(5).fill(true));
    expect(await said(again)).toEqual(Array(10).fill(false));
    expect(await said(far)).toEqual([true, true]);
    expect(await said(far)).toEqual([false, false]);
  });

  test('captions without times and node are returned unchanged', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    const said = [segment({ seq: 4, startMs: 10, endMs: 20, nodeId: 'n' }), segment({ segmentId: 's2', final: false })];
    await live.appendSegments(id, said);
    expect((await live.read([id]))[0]?.segments).toEqual(said);
  });

  test('ids and texts that look like the end of a list, or are escaped in it, are stored unchanged, and dropped with the oldest', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    const odd = [segment({ segmentId: 'a"b\\c', text: '好",7]', seq: 4 }), segment({ segmentId: 'a/b', text: '[1,9]' })];
    expect((await live.appendSegments(id, odd))?.accepted).toEqual([true, true]);
    expect((await live.appendSegments(id, odd))?.accepted).toEqual([false, false]);
    expect((await live.appendSegments(id, [segment({ segmentId: 'a"b\\c', text: '好', seq: 7 })]))?.accepted).toEqual([true]);
    expect((await live.read([id]))[0]?.segments.map(({ segmentId, text }) => [segmentId, text])).toEqual([
      ['a"b\\c', '好'],
      ['a/b', '[1,9]'],
    ]);
    await live.appendSegments(
      id,
      Array.from({ length: 200 }, (_, index) => segment({ segmentId: `later-${index}` })),
    );
    const { places } = captionKeys(id);
    expect(await redis.run(client => client.hlen(places))).toBe(200);
  });

  test('captions of a call that is never removed expire', async () => {
    const live = redisLiveCallStore(redis);
    const id = randomUUID();
    await store.commit(id, commit());
    await live.appendSegments(id, [segment({})]);
    const { spoken, places } = captionKeys(id);
    for (const key of [spoken, places]) expect(await redis.run(client => client.pttl(key))).toBeGreaterThan(23 * 3_600_000);
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
