import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisLink } from '#adapters/redis/client.ts';
import { redisSlotBook } from '#adapters/redis/slot-book.ts';
import type { SlotBook } from '#ports/slot-book.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';
import { openBook } from '#test/support/stores/open-book.ts';
import { endPresence, type Instance, monitoringInstance } from './rig.ts';

const ANNA = 7;
const BEN = 8;

let fresh: FreshRedis;
let redis: RedisLink;
let slots: SlotBook;
let one: Instance;

beforeAll(async () => {
  fresh = await freshRedis();
  redis = await connectRedis({ url: fresh.url, connectTimeoutMs: 20_000, commandTimeoutMs: 20_000 });
});
afterAll(async () => {
  await redis.close();
  await fresh.release();
});
beforeEach(async () => {
  await redis.run(client => client.flushdb());
  slots = redisSlotBook(redis, { leaseMs: 30_000 });
  await openBook(slots);
  one = monitoringInstance(redis);
});

const dial = (wanted: number, campaignId = 1, needsMonitor = true) =>
  slots.reserve({
    campaignId,
    weight: 1,
    campaignMax: 100,
    needsMonitor,
    callIntervalMs: 0,
    lines: [{ lineId: 7, max: 100, mode: 'single_shared', numbers: [], sharedNumber: null }],
    cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 1_000 }],
    requestIds: Array.from({ length: wanted }, () => randomUUID()),
  });

describe('a strict campaign dials only what somebody can watch [OCS 4.12 rule 4, I1]', () => {
  test('nobody monitors: nothing is granted, and the reason says so', async () => {
    expect(await dial(3)).toMatchObject({ grants: [], refusal: 'no_monitor' });
    expect((await dial(3, 2, false)).grants).toHaveLength(3);
  });

  test('as many calls as monitors have room for, over all strict campaigns together', async () => {
    await one.beat(ANNA, { capacity: 2 });
    await one.beat(BEN, { capacity: 1 });
    expect(await dial(2, 1)).toMatchObject({ grants: [{}, {}], refusal: null });
    const second = await dial(5, 2);
    expect(second).toMatchObject({ refusal: 'no_monitor' });
    expect(second.grants).toHaveLength(1);
    await slots.release(second.grants.map(({ requestId }) => requestId));
    expect((await dial(5, 1)).grants).toHaveLength(1);
  });

  test('the slots of instances that ask at once are together no more than the room', async () => {
    await one.beat(ANNA, { capacity: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => dial(1, index % 3)));
    expect(answers.flatMap(({ grants }) => grants)).toHaveLength(5);
  });

  test('a page of one campaign is no room for another', async () => {
    await one.beat(ANNA, { capacity: 5, campaignId: 1 });
    expect((await dial(1, 2)).refusal).toBe('no_monitor');
    expect((await dial(1, 1)).refusal).toBe(null);
  });

  test('calls that may run unattended take room while they have a monitor', async () => {
    await one.beat(ANNA, { capacity: 2 });
    const elastic = await one.answer();
    expect((await dial(2)).grants).toHaveLength(1);
    await one.send(elastic, { type: 'channelHungUp', at: 9, cause: 'NORMAL_CLEARING', callStatus: 'completed', by: null, answeredAt: 1 });
    await one.host.idle();
    expect((await dial(2)).grants).toHaveLength(1);
  });

  test('a monitor who leaves, expires or is busy is no room', async () => {
    await one.beat(ANNA, { capacity: 5 });
    await one.leave(ANNA);
    expect((await dial(1)).refusal).toBe('no_monitor');
    await one.beat(ANNA, { capacity: 0 });
    expect((await dial(1)).refusal).toBe('no_monitor');
    await one.beat(BEN, { capacity: 5 });
    await endPresence(redis, BEN);
    await one.tick();
    expect((await dial(1)).refusal).toBe('no_monitor');
  });

  test('who joins with room wakes the campaigns that wait for one', async () => {
    const { monitors } = one;
    const beat = { userId: ANNA, displayName: '', agentId: 1, cellId: null, campaignId: null, tabId: 't', ttlMs: 600_000 };
    expect((await monitors.beat({ ...beat, capacity: 5 })).hasJoined).toBe(true);
    expect((await monitors.beat({ ...beat, capacity: 5 })).hasJoined).toBe(false);
  });
});
