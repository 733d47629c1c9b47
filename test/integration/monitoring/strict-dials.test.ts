import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SLOT_PREFIX } from '#platform/redis/keys.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import { openRegistry } from '#test/support/stores/open-registry.ts';
import { endPresence, HUNG_UP, monitoringRig, presence } from './rig.ts';

const ANNA = 7;
const BEN = 8;

const rig = monitoringRig();
let slots: SlotRegistry;

beforeEach(async () => {
  slots = redisSlotRegistry(rig.redis, { leaseMs: 30_000 });
  await openRegistry(slots);
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

describe('a strict campaign dials only calls that a monitor can watch [OCS 4.12 rule 4, I1]', () => {
  test('no monitor: nothing is granted, with that reason', async () => {
    expect(await dial(3)).toMatchObject({ grants: [], refusal: 'no_monitor' });
    expect((await dial(3, 2, false)).grants).toHaveLength(3);
  });

  test('as many calls as monitors have capacity, over all strict campaigns together', async () => {
    await rig.one.beat(ANNA, { capacity: 2 });
    await rig.one.beat(BEN, { capacity: 1 });
    expect(await dial(2, 1)).toMatchObject({ grants: [{}, {}], refusal: null });
    const second = await dial(5, 2);
    expect(second).toMatchObject({ refusal: 'no_monitor' });
    expect(second.grants).toHaveLength(1);
    await slots.release(second.grants.map(({ requestId }) => requestId));
    expect((await dial(5, 1)).grants).toHaveLength(1);
  });

  test('concurrent instances together get no more slots than the capacity', async () => {
    await rig.one.beat(ANNA, { capacity: 5 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => dial(1, index % 3)));
    expect(answers.flatMap(({ grants }) => grants)).toHaveLength(5);
  });

  test('a page of one campaign is no capacity for another', async () => {
    await rig.one.beat(ANNA, { capacity: 5, campaignId: 1 });
    expect((await dial(1, 2)).refusal).toBe('no_monitor');
    expect((await dial(1, 1)).refusal).toBe(null);
  });

  test('calls that may run unattended take capacity while they have a monitor', async () => {
    await rig.one.beat(ANNA, { capacity: 2 });
    const elastic = await rig.one.answer();
    expect((await dial(2)).grants).toHaveLength(1);
    await rig.one.send(elastic, HUNG_UP);
    await rig.one.host.idle();
    expect((await dial(2)).grants).toHaveLength(1);
  });

  test('a monitor who leaves, expires or is busy has no capacity', async () => {
    await rig.one.beat(ANNA, { capacity: 5 });
    await rig.one.leave(ANNA);
    expect((await dial(1)).refusal).toBe('no_monitor');
    await rig.one.beat(ANNA, { capacity: 0 });
    expect((await dial(1)).refusal).toBe('no_monitor');
    await rig.one.beat(BEN, { capacity: 5 });
    await endPresence(rig.redis, BEN);
    await rig.one.tick();
    expect((await dial(1)).refusal).toBe('no_monitor');
  });

  test('preflight reports what would be granted [D5.6]', async () => {
    expect(await slots.watchable(1)).toBe(0);
    await rig.one.beat(ANNA, { capacity: 2 });
    await rig.one.beat(BEN, { capacity: 3, campaignId: 2 });
    expect([await slots.watchable(1), await slots.watchable(2)]).toEqual([2, 5]);
    await dial(1, 2);
    expect([await slots.watchable(1), await slots.watchable(2)]).toEqual([2, 4]);
    expect((await dial(9, 2)).grants).toHaveLength(4);
    expect(await slots.watchable(1)).toBe(0);
    await rig.redis.run(client => client.flushdb());
    expect(await slots.watchable(1)).toBe(null);
  });

  test('a late write of the state before a loss does not override the monitors after it', async () => {
    for (let beats = 0; beats < 50; beats++) await rig.one.beat(ANNA, { capacity: 2 });
    const late = await rig.redis.run(client =>
      Promise.all([client.get(`${SLOT_PREFIX}mon:rev`), client.hgetall(`${SLOT_PREFIX}mon:room`)]),
    );
    await rig.redis.run(client => client.flushdb());
    await openRegistry(slots);
    await rig.redis.run(client =>
      Promise.all([client.set(`${SLOT_PREFIX}mon:rev`, late[0] ?? ''), client.hset(`${SLOT_PREFIX}mon:room`, late[1])]),
    );
    await rig.one.beat(BEN, { capacity: 5 });
    expect((await dial(6)).grants).toHaveLength(5);
  });

  test('a monitor who joins with capacity wakes the campaigns that wait for one', async () => {
    expect((await rig.one.monitors.beat(presence(ANNA))).hasJoined).toBe(true);
    expect((await rig.one.monitors.beat(presence(ANNA))).hasJoined).toBe(false);
  });
});
