import { describe, expect, test } from '@jest/globals';
import { MONITOR_PREFIX } from '#platform/redis/keys.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { endPresence, HUNG_UP, monitoringRig, presence, readRegistry } from './rig.ts';

const ANNA = 7;
const BEN = 8;
const CARL = 9;

const rig = monitoringRig();

const watchOf = async (requestId: string) => (await rig.one.host.find(requestId))?.state.context.watch;
const monitorOf = async (requestId: string) => (await watchOf(requestId))?.monitor?.userId ?? null;
const claim = (requestId: string, userId: number) =>
  ({ type: 'interventionClaimed', id: `iv-${requestId}`, userId, agentId: userId, isSupervisor: false, at: 2_000 }) as const;

/** Gives two consecutive changes of the registry different instants of Redis. */
async function nextMillisecond(): Promise<void> {
  const now = async () => (await rig.redis.run(client => client.time())).map(Number);
  const [second = 0, us = 0] = await now();
  await waitUntil('the next millisecond', async () => {
    const [laterSecond = 0, laterUs = 0] = await now();
    return laterSecond > second || Math.floor(laterUs / 1_000) > Math.floor(us / 1_000);
  });
}

describe('assignment of calls [D9.5]', () => {
  test('a call without a monitor waits, and the first one with capacity gets it', async () => {
    const call = await rig.one.answer();
    expect(await watchOf(call)).toMatchObject({ monitor: null, waitingSince: expect.any(Number) });
    await rig.other.beat(ANNA);
    expect(await watchOf(call)).toMatchObject({ monitor: { userId: ANNA, agentId: ANNA, displayName: '坐席7' }, waitingSince: null });
  });

  test('calls of an unattended campaign are not assigned', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer({ mode: 'unattended' });
    expect(await watchOf(call)).toBeUndefined();
    expect((await readRegistry(rig.redis)).waiting).toEqual([]);
  });

  test('an intent hit comes first, then priority, then the longest wait', async () => {
    const first = await rig.one.answer();
    const second = await rig.one.answer();
    const important = await rig.one.answer({ priority: 50 });
    const hit = await rig.one.answer();
    await rig.one.send(hit, { type: 'intentHeard', hits: [{ keyword: '投诉', segmentId: 's1', at: 1 }] });
    await rig.one.host.idle();
    const order: (string | undefined)[] = [];
    for (const user of [ANNA, BEN, CARL, 10]) {
      await rig.one.beat(user, { capacity: 1 });
      order.push((await readRegistry(rig.redis)).assigned.get(user)?.[0]);
    }
    expect(order).toEqual([hit, important, first, second]);
  });

  test('among monitors: the same cell, then the fewest calls', async () => {
    await rig.one.beat(ANNA, { cellId: 'cell-1' });
    await rig.one.beat(BEN, { cellId: 'cell-2' });
    await rig.one.beat(CARL, { cellId: 'cell-2' });
    expect(await monitorOf(await rig.one.answer({ cellId: 'cell-1' }))).toBe(ANNA);
    const far = [await rig.one.answer({ cellId: 'cell-2' }), await rig.one.answer({ cellId: 'cell-2' })];
    expect((await Promise.all(far.map(monitorOf))).map(String).sort()).toEqual([BEN, CARL].map(String).sort());
  });

  test('among monitors with equally many calls the one who has been idle longer, not the one whose last call began earlier [D9.5]', async () => {
    const { one } = rig;
    await one.beat(ANNA);
    await one.beat(BEN);
    const long = await one.answer();
    const short = await one.answer();
    const [busy, idle] = [await monitorOf(long), await monitorOf(short)];
    expect([busy, idle].map(String).sort()).toEqual([ANNA, BEN].map(String).sort());
    for (const call of [short, long]) {
      await nextMillisecond();
      await one.send(call, HUNG_UP);
      await one.host.idle();
    }
    expect(await monitorOf(await one.answer())).toBe(idle);
  });

  test("a page's campaign restricts the assignments of its user; two tabs combine their pages, not their capacity", async () => {
    await rig.one.beat(ANNA, { campaignId: 5, capacity: 2 });
    const foreign = await rig.one.answer({ campaignId: 6 });
    expect(await monitorOf(foreign)).toBe(null);
    const own = await rig.one.answer({ campaignId: 5 });
    expect(await monitorOf(own)).toBe(ANNA);
    await rig.one.beat(ANNA, { campaignId: 6, capacity: 2, tabId: 'second' });
    expect(await monitorOf(foreign)).toBe(ANNA);
    expect(await monitorOf(await rig.one.answer({ campaignId: 5 }))).toBe(null);
    expect(await rig.one.monitors.capacity(ANNA)).toEqual({ mine: 2, used: 2, total: 2, waiting: 1 });
  });
});

describe('loss of calls [D9.4, OCS 4.12]', () => {
  test('calls of a deleted presence go to another monitor at once', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer();
    await rig.one.beat(BEN);
    await rig.one.leave(ANNA);
    expect(await monitorOf(call)).toBe(BEN);
  });

  test('calls of an expired presence go to another monitor at the next check', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer();
    await rig.one.beat(BEN);
    expect(await monitorOf(call)).toBe(ANNA);
    await endPresence(rig.redis, ANNA);
    await rig.other.tick();
    expect(await monitorOf(call)).toBe(BEN);
  });

  test('a monitor whose capacity shrinks loses the newest calls first', async () => {
    await rig.one.beat(ANNA, { capacity: 2 });
    const [older, newer] = [await rig.one.answer(), await rig.one.answer()];
    await rig.one.beat(ANNA, { capacity: 1 });
    expect([await monitorOf(older), await monitorOf(newer)]).toEqual([ANNA, null]);
    await rig.one.beat(ANNA, { capacity: 0 });
    expect(await monitorOf(older)).toBe(null);
  });

  test('a released call does not return during the presence, but may in the next', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer();
    expect((await rig.one.monitors.release(BEN, call)).outcome).toBe('not_assigned');
    const step = await rig.one.monitors.release(ANNA, call);
    await rig.one.placed(step);
    expect([step.outcome, await monitorOf(call)]).toEqual(['released', null]);
    await rig.one.beat(ANNA);
    expect(await monitorOf(call)).toBe(null);
    await rig.one.leave(ANNA);
    await rig.one.beat(ANNA);
    expect(await monitorOf(call)).toBe(ANNA);
  });

  test('an ended call leaves the registry and stays visible to its monitor for a minute [D9.2]', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer();
    await rig.one.send(call, HUNG_UP);
    await rig.one.host.idle();
    expect(await rig.one.monitors.callsOf(ANNA)).toMatchObject({ assigned: [], past: [call] });
    expect(await monitorOf(call)).toBe(ANNA);
    // The result is awaited for a minute, and the ended call stays for another.
    expect(await rig.redis.run(client => client.pttl(`${MONITOR_PREFIX}past:${ANNA}`))).toBeGreaterThan(130_000);
  });
});

describe('during an intervention [OCS 4.12 rule 3]', () => {
  test('only the claimed call stays assigned; the others wait for another monitor and stay readable', async () => {
    await rig.one.beat(ANNA);
    const [mine, second] = [await rig.one.answer(), await rig.one.answer()];
    await rig.one.send(mine, claim(mine, ANNA));
    await rig.one.host.idle();
    expect(await watchOf(mine)).toMatchObject({ monitor: { userId: ANNA } });
    expect(await watchOf(second)).toMatchObject({ monitor: null, retainedBy: [ANNA] });
    await rig.one.beat(BEN);
    expect(await watchOf(second)).toMatchObject({ monitor: { userId: BEN }, retainedBy: [ANNA] });
    expect(await monitorOf(await rig.one.answer())).toBe(BEN);

    await rig.one.send(mine, { type: 'interventionCancelled', userId: ANNA, at: 3_000 });
    await rig.one.host.idle();
    expect(await watchOf(second)).toMatchObject({ monitor: { userId: BEN }, retainedBy: [] });
    expect((await readRegistry(rig.redis)).focus.size).toBe(0);
  });

  test('so does a call whose transfer comes after the claim was cancelled [A7]', async () => {
    await rig.one.beat(ANNA);
    const [mine, second] = [await rig.one.answer(), await rig.one.answer()];
    await rig.one.send(mine, claim(mine, ANNA));
    await rig.one.host.idle();
    await rig.one.send(mine, { type: 'interventionCancelled', userId: ANNA, at: 3_000 });
    await rig.one.host.idle();
    expect(await monitorOf(second)).toBe(ANNA);
    await rig.one.send(mine, { type: 'interventionNoticed', id: `iv-${mine}`, status: 'active', agentId: null, reason: null, at: 4_000 });
    await rig.one.host.idle();
    expect(await watchOf(second)).toMatchObject({ monitor: null, retainedBy: [ANNA] });
    expect(await monitorOf(await rig.one.answer())).toBe(null);
  });

  test('a presence that ends before the transfer loses the call, but not afterwards', async () => {
    await rig.one.beat(ANNA);
    const [asked, begun] = [await rig.one.answer(), await rig.one.answer()];
    await rig.one.beat(BEN, { capacity: 5 });
    await rig.one.send(asked, claim(asked, ANNA));
    await rig.one.host.idle();
    await rig.one.leave(ANNA);
    expect(await monitorOf(asked)).toBe(BEN);

    await rig.one.beat(CARL, { capacity: 5, campaignId: 77 });
    await rig.one.send(begun, { ...claim(begun, CARL), isSupervisor: true });
    await rig.one.send(begun, { type: 'interventionConsumed', id: `iv-${begun}`, at: 3_000 });
    await rig.one.host.idle();
    await rig.one.leave(CARL);
    expect(await monitorOf(begun)).toBe(CARL);
    await rig.one.send(begun, { type: 'interventionNoticed', id: `iv-${begun}`, status: 'ended', agentId: null, reason: null, at: 4_000 });
    await rig.one.host.idle();
    expect(await monitorOf(begun)).toBe(BEN);
    expect((await readRegistry(rig.redis)).assigned.get(CARL)).toBeUndefined();
  });

  test('nobody can release a call that they are taking over', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer();
    await rig.one.send(call, claim(call, ANNA));
    await rig.one.host.idle();
    expect((await rig.one.monitors.release(ANNA, call)).outcome).toBe('intervening');
  });
});

describe('after a crash [A3]', () => {
  test('calls that were not notified of their monitor are notified by the next check of any instance', async () => {
    const call = await rig.one.answer();
    await rig.one.monitors.beat(presence(ANNA));
    expect(await monitorOf(call)).toBe(null);
    await waitUntil('the call to be told', async () => {
      await rig.other.tick();
      return (await monitorOf(call)) === ANNA;
    });
  });

  test('a heartbeat notifies the calls of its user at once', async () => {
    const call = await rig.one.answer();
    await rig.one.monitors.beat(presence(ANNA));
    await rig.other.beat(ANNA);
    expect(await monitorOf(call)).toBe(ANNA);
  });

  test('a call that is offered only after its end takes no capacity: the effects of two commits have no order', async () => {
    await rig.one.beat(ANNA, { capacity: 1 });
    const over = await rig.one.answer();
    await rig.one.send(over, HUNG_UP);
    await rig.one.host.idle();
    const late = { requestId: over, campaignId: 1, cellId: 'cell-1', priority: 0, hasIntent: false, isStrict: false };
    await rig.other.placed(await rig.other.monitors.offer(late));
    await rig.other.host.idle();
    expect(await rig.one.monitors.capacity(ANNA)).toMatchObject({ used: 0, waiting: 0 });
    expect(await monitorOf(await rig.one.answer())).toBe(ANNA);
  });

  test('a call whose actor is gone leaves the registry', async () => {
    await rig.one.beat(ANNA);
    const call = await rig.one.answer();
    await rig.one.host.remove(call);
    await rig.one.leave(ANNA);
    expect((await readRegistry(rig.redis)).waiting).toEqual([]);
  });
});

test('100 concurrent claims of one call on two instances: one winner [I7]', async () => {
  const call = await rig.one.answer();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      (index % 2 ? rig.one : rig.other).send(call, { ...claim(call, index + 1), id: `iv-${index}`, isSupervisor: true }),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'ignored')).toHaveLength(99);
});
