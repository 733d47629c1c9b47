import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { redisAnswerStore } from '#platform/redis/answer-store.ts';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { systemIds } from '#kernel/ids.ts';
import type { AnswerStore, RepeatableRequest } from '#platform/redis/answer-store.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';

let fresh: FreshRedis;
let redis: RedisLink;
let answers: AnswerStore;

beforeAll(async () => {
  fresh = await freshRedis();
  redis = await connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  answers = redisAnswerStore(redis, systemIds);
});
afterAll(async () => {
  await redis.close();
  await fresh.release();
});

const DAY_MS = 24 * 60 * 60_000;

function request(change: Partial<RepeatableRequest> = {}): RepeatableRequest {
  return { owner: randomUUID(), id: randomUUID(), fingerprint: 'f', ...change };
}

async function began(asked: RepeatableRequest): Promise<string> {
  const turn = await answers.begin(asked);
  if (turn.kind !== 'first') throw new Error(`the key is ${turn.kind}`);
  return turn.token;
}

const lifeOf = async ({ owner, id }: RepeatableRequest) => redis.run(client => client.pttl(`answer:{${owner}}:${id}`));

describe('an idempotency key and its response [D2.8]', () => {
  test('is taken once, in progress until it is finished, and stored for 24 h', async () => {
    const asked = request();
    const token = await began(asked);
    expect(await answers.begin(asked)).toEqual({ kind: 'in_flight' });
    expect(await lifeOf(asked)).toBeLessThanOrEqual(5 * 60_000);
    await answers.finish(asked, token, '{"data":1}');
    expect(await answers.begin(asked)).toEqual({ kind: 'answered', answer: '{"data":1}' });
    expect(await lifeOf(asked)).toBeGreaterThan(DAY_MS - 60_000);
    expect(await lifeOf(asked)).toBeLessThanOrEqual(DAY_MS);
  });

  test('another fingerprint is another request, in progress or finished', async () => {
    const asked = request();
    const token = await began(asked);
    expect(await answers.begin({ ...asked, fingerprint: 'g' })).toEqual({ kind: 'other_request' });
    await answers.finish(asked, token, 'x');
    expect(await answers.begin({ ...asked, fingerprint: 'g' })).toEqual({ kind: 'other_request' });
  });

  test('a failed request releases its key; one that lost the key cannot finish it', async () => {
    const asked = request();
    const lost = await began(asked);
    await answers.abandon(asked, lost);
    await began(asked);
    await answers.finish(asked, lost, 'late');
    await answers.abandon(asked, lost);
    expect(await answers.begin(asked)).toEqual({ kind: 'in_flight' });
  });

  test('a response that is too large is known, but not stored', async () => {
    const asked = request();
    await answers.finish(asked, await began(asked), 'x'.repeat(256 * 1024 + 1));
    expect(await answers.begin(asked)).toEqual({ kind: 'answered', answer: null });
  });

  test("each owner's responses have a limit of their own", async () => {
    const owner = randomUUID();
    const room = `answer:{${owner}}:room`;
    const asked = request({ owner });
    const token = await began(asked);
    await redis.run(client => client.incrby(room, 32 * 1024 * 1024 - 1_000));
    await answers.finish(asked, token, 'x'.repeat(1_000));
    expect(await answers.begin(asked)).toEqual({ kind: 'answered', answer: null });
    await redis.run(client => client.incrby(room, 1_000));
    expect(await answers.begin(request({ owner }))).toEqual({ kind: 'full', retryAfterSeconds: expect.any(Number) });
    expect(await redis.run(client => client.pttl(room))).toBeGreaterThan(DAY_MS - 60_000);
    expect(await answers.begin(request())).toMatchObject({ kind: 'first' });
  });
});
