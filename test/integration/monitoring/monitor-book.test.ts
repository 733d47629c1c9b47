import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisLink } from '#adapters/redis/client.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { endPresence, type Instance, monitoringInstance, readBook } from './rig.ts';

const ANNA = 7;
const BEN = 8;
const CARL = 9;

let fresh: FreshRedis;
let redis: RedisLink;
let one: Instance;
let other: Instance;

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
  one = monitoringInstance(redis);
  other = monitoringInstance(redis);
});

const watchOf = async (requestId: string) => (await one.host.find(requestId))?.state.context.watch;
const monitorOf = async (requestId: string) => (await watchOf(requestId))?.monitor?.userId ?? null;
const claim = (requestId: string, userId: number) =>
  ({ type: 'interventionClaimed', id: `iv-${requestId}`, userId, agentId: userId, isSupervisor: false, at: 2_000 }) as const;

describe('who gets which call [D9.5]', () => {
  test('a call without a monitor waits, and the first with room gets it', async () => {
    const call = await one.answer();
    expect(await watchOf(call)).toMatchObject({ monitor: null, waitingSince: expect.any(Number) });
    await other.beat(ANNA);
    expect(await watchOf(call)).toMatchObject({ monitor: { userId: ANNA, agentId: ANNA, displayName: '坐席7' }, waitingSince: null });
  });

  test('calls of an unattended campaign are given to nobody', async () => {
    await one.beat(ANNA);
    const call = await one.answer({ mode: 'unattended' });
    expect(await watchOf(call)).toBeUndefined();
    expect((await readBook(redis)).waiting).toEqual([]);
  });

  test('an intent hit comes first, then priority, then who waits longest', async () => {
    const first = await one.answer();
    const second = await one.answer();
    const important = await one.answer({ priority: 50 });
    const hit = await one.answer();
    await one.send(hit, { type: 'intentHeard', hits: [{ keyword: '投诉', segmentId: 's1', at: 1 }] });
    await one.host.idle();
    const order: (string | undefined)[] = [];
    for (const user of [ANNA, BEN, CARL, 10]) {
      await one.beat(user, { capacity: 1 });
      order.push((await readBook(redis)).assigned.get(user)?.[0]);
    }
    expect(order).toEqual([hit, important, first, second]);
  });

  test('among monitors: same cell, then fewest calls, then longest without a new one', async () => {
    await one.beat(ANNA, { cellId: 'cell-1' });
    await one.beat(BEN, { cellId: 'cell-2' });
    await one.beat(CARL, { cellId: 'cell-2' });
    expect(await monitorOf(await one.answer({ cellId: 'cell-1' }))).toBe(ANNA);
    const far = [await one.answer({ cellId: 'cell-2' }), await one.answer({ cellId: 'cell-2' })];
    expect((await Promise.all(far.map(monitorOf))).map(String).sort()).toEqual([BEN, CARL].map(String).sort());
  });

  test("a page's campaign limits what its user is given; two tabs add up their pages, not their room", async () => {
    await one.beat(ANNA, { campaignId: 5, capacity: 2 });
    const foreign = await one.answer({ campaignId: 6 });
    expect(await monitorOf(foreign)).toBe(null);
    const own = await one.answer({ campaignId: 5 });
    expect(await monitorOf(own)).toBe(ANNA);
    await one.beat(ANNA, { campaignId: 6, capacity: 2, tabId: 'second' });
    expect(await monitorOf(foreign)).toBe(ANNA);
    expect(await monitorOf(await one.answer({ campaignId: 5 }))).toBe(null);
    expect(await one.monitors.capacity(ANNA)).toEqual({ mine: 2, used: 2, total: 2, waiting: 1 });
  });
});

describe('who loses a call [D9.4, OCS 4.12]', () => {
  test('calls of a presence that is deleted go to another at once', async () => {
    await one.beat(ANNA);
    const call = await one.answer();
    await one.beat(BEN);
    await one.leave(ANNA);
    expect(await monitorOf(call)).toBe(BEN);
  });

  test('calls of a presence that has expired go to another with the next look', async () => {
    await one.beat(ANNA);
    const call = await one.answer();
    await one.beat(BEN);
    expect(await monitorOf(call)).toBe(ANNA);
    await endPresence(redis, ANNA);
    await other.tick();
    expect(await monitorOf(call)).toBe(BEN);
  });

  test('a monitor whose capacity shrinks yields the newest first', async () => {
    await one.beat(ANNA, { capacity: 2 });
    const [older, newer] = [await one.answer(), await one.answer()];
    await one.beat(ANNA, { capacity: 1 });
    expect([await monitorOf(older), await monitorOf(newer)]).toEqual([ANNA, null]);
    await one.beat(ANNA, { capacity: 0 });
    expect(await monitorOf(older)).toBe(null);
  });

  test('a released call does not come back while the presence lasts, and may in the next', async () => {
    await one.beat(ANNA);
    const call = await one.answer();
    expect((await one.monitors.release(BEN, call)).outcome).toBe('not_assigned');
    const step = await one.monitors.release(ANNA, call);
    await one.placed(step);
    expect([step.outcome, await monitorOf(call)]).toEqual(['released', null]);
    await one.beat(ANNA);
    expect(await monitorOf(call)).toBe(null);
    await one.leave(ANNA);
    await one.beat(ANNA);
    expect(await monitorOf(call)).toBe(ANNA);
  });

  test('an ended call is forgotten by the book and still shown to its monitor for a minute [D9.2]', async () => {
    await one.beat(ANNA);
    const call = await one.answer();
    await one.send(call, { type: 'channelHungUp', at: 9, cause: 'NORMAL_CLEARING', callStatus: 'completed', by: null, answeredAt: 1 });
    await one.host.idle();
    expect(await one.monitors.callsOf(ANNA)).toMatchObject({ assigned: [], past: [call] });
    expect(await monitorOf(call)).toBe(ANNA);
  });
});

describe('during an intervention [OCS 4.12 rule 3]', () => {
  test('only the claimed call stays a responsibility; the others wait for somebody else and stay readable', async () => {
    await one.beat(ANNA);
    const [mine, second] = [await one.answer(), await one.answer()];
    await one.send(mine, claim(mine, ANNA));
    await one.host.idle();
    expect(await watchOf(mine)).toMatchObject({ monitor: { userId: ANNA } });
    expect(await watchOf(second)).toMatchObject({ monitor: null, retainedBy: [ANNA] });
    await one.beat(BEN);
    expect(await watchOf(second)).toMatchObject({ monitor: { userId: BEN }, retainedBy: [ANNA] });
    expect(await monitorOf(await one.answer())).toBe(BEN);

    await one.send(mine, { type: 'interventionCancelled', userId: ANNA, at: 3_000 });
    await one.host.idle();
    expect(await watchOf(second)).toMatchObject({ monitor: { userId: BEN }, retainedBy: [] });
    expect((await readBook(redis)).focus.size).toBe(0);
  });

  test('a presence that ends before the transfer loses the call, afterwards it does not', async () => {
    await one.beat(ANNA);
    const [asked, begun] = [await one.answer(), await one.answer()];
    await one.beat(BEN, { capacity: 5 });
    await one.send(asked, claim(asked, ANNA));
    await one.host.idle();
    await one.leave(ANNA);
    expect(await monitorOf(asked)).toBe(BEN);

    await one.beat(CARL, { capacity: 5, campaignId: 77 });
    await one.send(begun, { ...claim(begun, CARL), isSupervisor: true });
    await one.send(begun, { type: 'interventionConsumed', id: `iv-${begun}`, at: 3_000 });
    await one.host.idle();
    await one.leave(CARL);
    expect(await monitorOf(begun)).toBe(CARL);
    await one.send(begun, { type: 'interventionNoticed', id: `iv-${begun}`, status: 'ended', agentId: null, reason: null, at: 4_000 });
    await one.host.idle();
    expect(await monitorOf(begun)).toBe(BEN);
    expect((await readBook(redis)).assigned.get(CARL)).toBeUndefined();
  });

  test('a call is released by nobody who steps into it', async () => {
    await one.beat(ANNA);
    const call = await one.answer();
    await one.send(call, claim(call, ANNA));
    await one.host.idle();
    expect((await one.monitors.release(ANNA, call)).outcome).toBe('intervening');
  });
});

describe('what a crash leaves [A3]', () => {
  test('calls that were not told of their monitor are told by the next look of any instance', async () => {
    const call = await one.answer();
    const { monitors } = one;
    await monitors.beat({
      userId: ANNA,
      displayName: 'a',
      agentId: 1,
      cellId: null,
      capacity: 5,
      campaignId: null,
      tabId: 't',
      ttlMs: 600_000,
    });
    expect(await monitorOf(call)).toBe(null);
    await waitUntil('the call to be told', async () => {
      await other.tick();
      return (await monitorOf(call)) === ANNA;
    });
  });

  test('a heartbeat tells the calls of its user at once', async () => {
    const call = await one.answer();
    const { monitors } = one;
    await monitors.beat({
      userId: ANNA,
      displayName: 'a',
      agentId: 1,
      cellId: null,
      capacity: 5,
      campaignId: null,
      tabId: 't',
      ttlMs: 600_000,
    });
    await other.beat(ANNA);
    expect(await monitorOf(call)).toBe(ANNA);
  });

  test('a call whose actor is gone leaves the book', async () => {
    await one.beat(ANNA);
    const call = await one.answer();
    await one.host.remove(call);
    await one.leave(ANNA);
    expect((await readBook(redis)).waiting).toEqual([]);
  });
});

test('100 claims of one call at once on two instances: one winner [I7]', async () => {
  const call = await one.answer();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      (index % 2 ? one : other).send(call, { ...claim(call, index + 1), id: `iv-${index}`, isSupervisor: true }),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'ignored')).toHaveLength(99);
});
