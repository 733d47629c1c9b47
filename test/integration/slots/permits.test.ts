import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import type { PermitResult, SlotRegistry } from '#slots/slot-registry.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';
import { openRegistry } from '#test/support/stores/open-registry.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let fresh: FreshRedis;
let links: RedisLink[];
let registry: SlotRegistry;
let second: SlotRegistry;

beforeAll(async () => {
  fresh = await freshRedis();
  const connect = () => connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
  links = [await connect(), await connect()];
});
afterAll(async () => {
  for (const link of links) await link.close();
  await fresh.release();
});
beforeEach(async () => {
  const [one, two] = links;
  if (!one || !two) throw new Error('not connected');
  await one.run(client => client.flushdb());
  registry = redisSlotRegistry(one, { leaseMs: 30_000 });
  second = redisSlotRegistry(two, { leaseMs: 30_000 });
  await openRegistry(registry);
});

/** Confirmed dials, each of a campaign of its own by default; only the first of a campaign with an interval is confirmed at once. */
async function confirmed(
  count: number,
  cell: { maxPerSecond: number; cellId?: string },
  campaign = { callIntervalMs: 0 },
): Promise<string[]> {
  const { grants } = await registry.reserve({
    campaignId: 1,
    weight: 1,
    campaignMax: 1_000,
    callIntervalMs: campaign.callIntervalMs,
    lines: [{ lineId: 7, max: 1_000, mode: 'single_shared', numbers: [], sharedNumber: null }],
    cells: [{ cellId: cell.cellId ?? 'cell-1', max: 0, maxPerSecond: cell.maxPerSecond }],
    requestIds: Array.from({ length: count }, () => randomUUID()),
  });
  const ids = grants.map(grant => grant.requestId);
  await waitUntil('all to be confirmed', async () => (await registry.confirm(ids)).every(({ outcome }) => outcome === 'confirmed'));
  return ids;
}

const asks = (ids: readonly string[], withinMs = 2_000, missed = 0) => ids.map(requestId => ({ requestId, withinMs, missed }));
const waits = (permits: readonly PermitResult[]) => permits.map(permit => (permit.outcome === 'booked' ? permit.waitMs : null));

describe('one cell', () => {
  test('books instants with a fixed spacing: N−1 per second, each up to 20 ms late [esl §5]', async () => {
    const ids = await confirmed(5, { maxPerSecond: 31 });
    const booked = waits(await registry.permit(asks(ids)));
    expect(booked[0]).toBe(0);
    const gaps = booked.slice(1).map((wait, index) => (wait ?? NaN) - (booked[index] ?? NaN));
    expect(gaps.map(gap => Math.round(gap * 1_000))).toEqual([34_001, 34_001, 34_001, 34_001]);
  });

  test('a channel without a slot takes its turn with the others, and waits longer when allowed [A10]', async () => {
    const ids = await confirmed(2, { maxPerSecond: 11 });
    const extension = { requestId: randomUUID(), missed: 0, cell: { cellId: 'cell-1', maxPerSecond: 11 } };
    const booked = waits([...(await registry.permit(asks(ids))), ...(await registry.permit([{ ...extension, withinMs: 2_000 }]))]);
    expect(booked[2]).toBeGreaterThan((booked[1] ?? NaN) + 50);
    const [short] = await registry.permit([{ ...extension, requestId: randomUUID(), withinMs: 5 }]);
    expect(short?.outcome).toBe('later');
    await links[0]?.run(client => client.flushdb());
    expect(waits(await registry.permit([{ ...extension, withinMs: 5 }]))).toEqual([0]);
  });

  test("an agent's slot does not wait behind planned starts; only the permit paces it [D12.3, A10]", async () => {
    const request = {
      campaignId: 1,
      weight: 1,
      campaignMax: 1_000,
      callIntervalMs: 0,
      lines: [{ lineId: 7, max: 1_000, mode: 'single_shared' as const, numbers: [], sharedNumber: null }],
      cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 2 }],
    };
    const planned = await registry.reserve({ ...request, requestIds: Array.from({ length: 20 }, () => randomUUID()) });
    expect(planned.refusal).toBe('interval');
    const { grants } = await registry.reserve({ ...request, campaignId: 0, weight: 101, startsNow: true, requestIds: [randomUUID()] });
    expect(grants.map(({ startsInMs }) => startsInMs)).toEqual([0]);
    expect(await registry.confirm(grants.map(grant => grant.requestId))).toMatchObject([{ outcome: 'confirmed' }]);
  });

  test('two instances never get the same second twice', async () => {
    const ids = await confirmed(40, { maxPerSecond: 101 });
    const began = performance.now();
    const answers = await Promise.all(
      ids.map(async (requestId, index) => {
        const [permit] = await (index % 2 === 0 ? registry : second).permit(asks([requestId]));
        return { permit, answeredAt: performance.now() };
      }),
    );
    // A booked instant lies between the request and the response plus its wait; the last one comes 39 spaces of 10.2 ms after the first.
    const latest = answers.map(({ permit, answeredAt }) => (permit?.outcome === 'booked' ? answeredAt + permit.waitMs : NaN));
    expect(Math.max(...latest) - began).toBeGreaterThanOrEqual(39 * 10.2);
    const sorted = answers.map(({ permit }) => (permit?.outcome === 'booked' ? permit.waitMs : NaN)).toSorted((a, b) => a - b);
    expect(new Set(sorted).size).toBe(40);
  });

  test('a dial that missed its instant books its own place again when none came after it', async () => {
    const [id = ''] = await confirmed(1, { maxPerSecond: 3 });
    for (let missed = 0; missed < 4; missed++) {
      expect(await registry.permit(asks([id], 2_000, missed))).toEqual([
        { requestId: id, outcome: 'booked', waitMs: 0, lateMs: 20 * 2 ** missed },
      ]);
    }
  });

  test('a dial that may be later than others delays those after it', async () => {
    const [first = '', next = ''] = await confirmed(2, { maxPerSecond: 1_000 });
    expect(waits(await registry.permit(asks([first], 2_000, 5)))).toEqual([0]);
    const [wait] = waits(await second.permit(asks([next])));
    expect(wait).toBeGreaterThan(100);
    expect(wait).toBeLessThanOrEqual(640 - 20 + 1.022);
  });

  test('dials that missed their instants together delay those after them once, by the longest allowed lateness', async () => {
    const [last = '', ...ids] = await confirmed(11, { maxPerSecond: 1_000 });
    const booked = waits(await registry.permit(ids.flatMap((id, index) => asks([id], 2_000, index % 6))));
    expect(booked.map(wait => Math.round((wait ?? NaN) * 1_000))).toEqual(ids.map((_, index) => index * 1_022));
    const [wait] = waits(await second.permit(asks([last])));
    expect(wait).toBeGreaterThan(100);
    expect(wait).toBeLessThanOrEqual(640 - 20 + 10 * 1.022);
  });

  test('a dial that may be late is not followed without a delay for longer than half a second', async () => {
    const ids = await confirmed(8, { maxPerSecond: 11 });
    const booked = waits(await registry.permit(asks(ids, 10_000, 4)));
    const gaps = booked.slice(1).map((wait, index) => Math.round((wait ?? NaN) - (booked[index] ?? NaN)));
    expect(gaps).toEqual([102, 102, 102, 102, 402, 102, 102]);
  });

  test('booking a place again does not undo delays caused by others', async () => {
    const [late = '', missed = '', next = ''] = await confirmed(3, { maxPerSecond: 1_000 });
    await registry.permit([...asks([late], 2_000, 5), ...asks([missed])]);
    const [again] = waits(await registry.permit(asks([missed], 2_000, 1)));
    expect(again).toBeGreaterThan(500);
    expect(waits(await registry.permit(asks([next])))[0]).toBeGreaterThan(500);
  });

  test('nothing is booked beyond the deadline; the wait is returned', async () => {
    const ids = await confirmed(3, { maxPerSecond: 3 });
    const permits = await registry.permit(asks(ids, 100));
    expect(permits.map(permit => permit.outcome)).toEqual(['booked', 'later', 'later']);
    expect(permits[1]).toEqual({ requestId: ids[1], outcome: 'later', waitMs: expect.closeTo(510, 0) });
  });
});

describe('one campaign', () => {
  test('its interval applies across instances [D5.3]', async () => {
    const ids = await confirmed(3, { maxPerSecond: 1_000 }, { callIntervalMs: 1_000 });
    const [first = '', next = '', last = ''] = ids;
    expect(waits(await registry.permit(asks([first])))).toEqual([0]);
    // Before the response travels: the interval counts from the instant at which Redis received the request.
    const asked = performance.now();
    const [later] = await second.permit(asks([next]));
    expect(later?.outcome).toBe('later');
    const permit = await waitUntil('the interval to pass', async () => {
      const [again] = await second.permit(asks([next]));
      return again?.outcome === 'booked' ? again : null;
    });
    // A booking may lie up to the slack ahead.
    expect(performance.now() + permit.waitMs - asked).toBeGreaterThanOrEqual((later?.outcome === 'later' ? later.waitMs : NaN) - 5);
    expect((await registry.permit(asks([last])))[0]?.outcome).toBe('later');
  });

  test('a missed instant of an hour-long interval does not cost an hour', async () => {
    const [id = ''] = await confirmed(1, { maxPerSecond: 1_000 }, { callIntervalMs: 3_600_000 });
    for (let missed = 0; missed < 3; missed++) {
      expect((await registry.permit(asks([id], 2_000, missed)))[0]).toMatchObject({ outcome: 'booked', waitMs: 0 });
    }
  });

  test('a reservation that is never dialled returns its interval', async () => {
    const ask = {
      campaignId: 1,
      weight: 1,
      campaignMax: 9,
      callIntervalMs: 3_000,
      lines: [{ lineId: 7, max: 9, mode: 'single_shared' as const, numbers: [], sharedNumber: null }],
      cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 1_000 }],
    };
    const first = await registry.reserve({ ...ask, requestIds: [randomUUID(), randomUUID(), randomUUID()] });
    await registry.release(first.grants.map(grant => grant.requestId));
    const again = await registry.reserve({ ...ask, requestIds: [randomUUID()] });
    expect(again.grants.map(grant => grant.startsInMs)).toEqual([0]);
  });
});

describe('refused permits', () => {
  test('a slot that was released, never confirmed or rebuilt after a wipe gets no permit [A6 step 10]', async () => {
    const [id = ''] = await confirmed(1, { maxPerSecond: 1_000 });
    await registry.release([id]);
    const reserved = await registry.reserve({
      campaignId: 1,
      weight: 1,
      campaignMax: 9,
      callIntervalMs: 0,
      lines: [{ lineId: 7, max: 9, mode: 'single_shared', numbers: [], sharedNumber: null }],
      cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 1_000 }],
      requestIds: [randomUUID()],
    });
    const [unconfirmed] = reserved.grants;
    const rebuilt = randomUUID();
    await links[0]?.run(client => client.del('s:{0}:epoch'));
    expect((await registry.permit(asks([id])))[0]?.outcome).toBe('gone');
    await registry.startRebuild('r');
    await registry.restore('r', [{ requestId: rebuilt, campaignId: 1, lineId: 7, number: null, cellId: 'cell-1', needsMonitor: false }]);
    await registry.open('r');
    const permits = await registry.permit(asks([id, unconfirmed?.requestId ?? '', rebuilt]));
    expect(permits.map(permit => permit.outcome)).toEqual(['gone', 'gone', 'gone']);
  });
});
