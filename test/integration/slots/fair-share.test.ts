import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { connectRedis, type RedisLink } from '#platform/redis/client.ts';
import { redisSlotRegistry } from '#slots/slot-store.ts';
import { randomInt, randomPick, seededRandom } from '#kernel/random.ts';
import type { ReserveResult, SlotRegistry, SlotCell, SlotLine } from '#slots/slot-registry.ts';
import {
  type Asker,
  EMPTY_SHARE,
  mayTake,
  nextInLine,
  type Share,
  stopWaiting,
  takeSlot,
  waitForSlot,
} from '#test/support/stores/fair-share.ts';
import { weightOf } from '#campaigns/campaign.ts';
import { freshRedis, type FreshRedis } from '#test/support/redis.ts';
import { openRegistry } from '#test/support/stores/open-registry.ts';

let fresh: FreshRedis;
let redis: RedisLink;
let registry: SlotRegistry;

beforeAll(async () => {
  fresh = await freshRedis();
  redis = await connectRedis({ url: fresh.url, connectTimeoutMs: 2_000, commandTimeoutMs: 20_000 });
});
afterAll(async () => {
  await redis.close();
  await fresh.release();
});
beforeEach(async () => {
  await emptyRegistry();
});

async function emptyRegistry(): Promise<void> {
  await redis.run(client => client.flushdb());
  registry = redisSlotRegistry(redis, { leaseMs: 30_000 });
  await openRegistry(registry);
}

const line = (lineId: number, max: number): SlotLine => ({ lineId, max, mode: 'single_shared', numbers: [], sharedNumber: null });
const WIDE: SlotCell = { cellId: 'cell-1', max: 0, maxPerSecond: 1_000 };

interface Ask {
  lines: readonly SlotLine[];
  cells?: readonly SlotCell[];
  wanted?: number;
  campaignMax?: number;
}

function reserve({ campaignId, weight }: Asker, { lines, cells = [WIDE], wanted = 10, campaignMax = 1_000 }: Ask): Promise<ReserveResult> {
  const requestIds = Array.from({ length: wanted }, () => randomUUID());
  return registry.reserve({ campaignId, weight, campaignMax, callIntervalMs: 0, lines, cells, requestIds });
}

const asker = (campaignId: number, priority = 0): Asker => ({ campaignId, weight: weightOf(priority) });

/** The cell's rate lets starts be a millisecond apart. */
async function confirmAll(requestIds: readonly string[]): Promise<void> {
  for (let left = requestIds; left.length > 0; ) {
    left = (await registry.confirm(left)).filter(({ outcome }) => outcome === 'early').map(({ requestId }) => requestId);
  }
}

/** Slots held by each campaign. */
class Held {
  readonly slots: { campaignId: number; requestId: string }[] = [];

  async take(who: Asker, ask: Ask): Promise<ReserveResult> {
    const result = await reserve(who, ask);
    await confirmAll(result.grants.map(grant => grant.requestId));
    this.slots.push(...result.grants.map(({ requestId }) => ({ campaignId: who.campaignId, requestId })));
    return result;
  }

  async giveBack(index: number): Promise<void> {
    const [slot] = this.slots.splice(index, 1);
    if (slot) await registry.release([slot.requestId]);
  }

  of(campaignId: number): number {
    return this.slots.filter(slot => slot.campaignId === campaignId).length;
  }
}

describe('campaigns share a full line by weight, monitoring priority + 1', () => {
  test('priorities 0, 0 and 3 converge to 1 : 1 : 4 although the first one held all of it', async () => {
    const random = seededRandom(3);
    const askers = [asker(1), asker(2), asker(3, 3)] as const;
    const ask = { lines: [line(7, 12)] };
    const held = new Held();
    for (const who of askers) await held.take(who, { ...ask, wanted: 20 });
    expect([held.of(1), held.of(2), held.of(3)]).toEqual([12, 0, 0]);
    const granted = new Map([...askers].map(({ campaignId }) => [campaignId, 0]));
    const average = new Map(granted);
    const RELEASES = 600;
    for (let release = 0; release < RELEASES; release++) {
      await held.giveBack(randomInt(random, 0, held.slots.length - 1));
      // Campaigns request in random order.
      for (const who of askers.toSorted(() => random.next() - 0.5)) {
        const { grants } = await held.take(who, { ...ask, wanted: 20 });
        granted.set(who.campaignId, (granted.get(who.campaignId) ?? 0) + grants.length);
      }
      expect(held.slots).toHaveLength(12);
      for (const { campaignId } of askers) average.set(campaignId, (average.get(campaignId) ?? 0) + held.of(campaignId) / RELEASES);
    }
    // The second and third first catch up with the first: at most the whole line once.
    expect(Math.abs((granted.get(1) ?? 0) - 100)).toBeLessThanOrEqual(12);
    expect(Math.abs((granted.get(2) ?? 0) - 100)).toBeLessThanOrEqual(12);
    expect(Math.abs((granted.get(3) ?? 0) - 400)).toBeLessThanOrEqual(12);
    expect(average.get(3)).toBeGreaterThan(7);
    expect(Math.max(average.get(1) ?? 0, average.get(2) ?? 0)).toBeLessThan(3);
  });

  test('a new campaign is served within one turn of the others', async () => {
    const held = new Held();
    const others = [asker(1), asker(2, 2)];
    const ask = { lines: [line(7, 4)] };
    for (let round = 0; round < 30; round++) {
      for (const who of others) await held.take(who, ask);
      await held.giveBack(0);
    }
    let releases = 0;
    for (; held.of(9) === 0; releases++) {
      for (const who of [...others, asker(9)]) await held.take(who, ask);
      if (held.of(9) === 0) await held.giveBack(0);
    }
    // One grant of weight 1 lets weight 1 and weight 3 have at most 2 and 4 before it.
    expect(releases).toBeLessThanOrEqual(7);
  });

  test('a campaign without a free slot learns for which campaign it is kept', async () => {
    const ask = { lines: [line(7, 1)], wanted: 1 };
    const held = new Held();
    await held.take(asker(1), ask);
    expect(await held.take(asker(2), ask)).toMatchObject({ grants: [], refusal: 'line_full', retryInMs: 2_000, yieldTo: [] });
    await held.giveBack(0);
    expect(await held.take(asker(1), ask)).toMatchObject({ grants: [], refusal: 'line_full', yieldTo: [2] });
    expect((await held.take(asker(2), ask)).grants).toHaveLength(1);
  });

  test('a campaign that needs no more slots keeps none and learns which one waits', async () => {
    const ask = { lines: [line(7, 1)], wanted: 1 };
    const held = new Held();
    await held.take(asker(1), ask);
    await held.take(asker(2), ask);
    await held.giveBack(0);
    expect((await held.take(asker(1), { ...ask, wanted: 0 })).yieldTo).toEqual([2]);
    await held.take(asker(2), { ...ask, wanted: 0 });
    expect((await held.take(asker(1), ask)).grants).toHaveLength(1);
  });

  test('a campaign at its own limit keeps no slots from others', async () => {
    const ask = { lines: [line(7, 3)], wanted: 5 };
    const held = new Held();
    await held.take(asker(1), { ...ask, campaignMax: 1 });
    expect((await held.take(asker(2), ask)).grants).toHaveLength(2);
    expect((await held.take(asker(1), { ...ask, campaignMax: 1 })).refusal).toBe('campaign_full');
    await held.giveBack(1);
    expect((await held.take(asker(2), ask)).grants).toHaveLength(1);
  });

  test('a cell is shared like a line; a campaign that waits for the cell keeps no line', async () => {
    const cells = [{ cellId: 'cell-1', max: 2, maxPerSecond: 1_000 }];
    const held = new Held();
    await held.take(asker(1), { lines: [line(1, 9)], cells, wanted: 3 });
    expect((await held.take(asker(2), { lines: [line(2, 9)], cells, wanted: 3 })).refusal).toBe('cell_full');
    await held.giveBack(0);
    expect(await held.take(asker(1), { lines: [line(1, 9)], cells, wanted: 1 })).toMatchObject({
      grants: [],
      refusal: 'cell_full',
      yieldTo: [2],
    });
    // The line of the campaign that waits for the cell is free for others.
    expect((await held.take(asker(3), { lines: [line(2, 9)], wanted: 2, cells: [{ ...WIDE, cellId: 'cell-2' }] })).grants).toHaveLength(2);
    expect((await held.take(asker(2), { lines: [line(2, 9)], cells, wanted: 3 })).grants).toHaveLength(1);
  });

  test('slots granted without a competitor are not charged', async () => {
    const ask = { lines: [line(7, 4)], wanted: 4 };
    const { grants } = await reserve(asker(1), ask);
    await registry.release(grants.map(grant => grant.requestId));
    await reserve(asker(2), { ...ask, wanted: 3 });
    const tags = await redis.run(client => client.hgetall('s:{0}:share:line:7'));
    expect(tags).toMatchObject({ '1': '0' });
  });
});

describe('the script decides like the rule', () => {
  const LINE_MAX = 3;
  const action = fc.record({
    campaign: fc.integer({ min: 1, max: 5 }),
    wanted: fc.integer({ min: 0, max: 4 }),
    release: fc.nat(),
    doesRelease: fc.boolean(),
  });
  const weights = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 5, maxLength: 5 });

  test('over any sequence of requests and releases', async () => {
    await fc.assert(
      fc.asyncProperty(weights, fc.array(action, { minLength: 5, maxLength: 40 }), async (priorities, actions) => {
        await emptyRegistry();
        const held = new Held();
        let model: Share = EMPTY_SHARE;
        for (const { campaign, wanted, release, doesRelease } of actions) {
          if (doesRelease && held.slots.length > 0) await held.giveBack(release % held.slots.length);
          const who = asker(campaign, priorities[campaign - 1]);
          const [next, expected] = ruled(model, who, { free: LINE_MAX - held.slots.length, wanted });
          const result = await held.take(who, { lines: [line(7, LINE_MAX)], wanted });
          expect(result.grants).toHaveLength(expected.granted);
          expect(result.yieldTo).toEqual(expected.yieldTo);
          model = next;
        }
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  function ruled(start: Share, who: Asker, { free, wanted }: { free: number; wanted: number }) {
    let share = start;
    let granted = 0;
    while (granted < wanted && mayTake(share, who, free - granted, 0)) {
      share = takeSlot(share, who, 0);
      granted += 1;
    }
    share = granted < wanted ? waitForSlot(share, who, { wanted: wanted - granted, at: 0, until: 1 }) : stopWaiting(share, who.campaignId);
    const others = nextInLine(share, 0).filter(campaignId => campaignId !== who.campaignId);
    return [share, { granted, yieldTo: others.slice(0, free - granted) }] as const;
  }
});

test('50 concurrent requests from several instances never exceed a limit, and all of them are served in the end [I1]', async () => {
  const random = seededRandom(11);
  const askers = Array.from({ length: 50 }, (_, index) => asker(index + 1, randomPick(random, [0, 0, 0, 3, 9])));
  const lines = [line(1, 3), line(2, 5)];
  const held = new Held();
  const served = new Set<number>();
  for (let round = 0; served.size < 50 && round < 200; round++) {
    const chosen = askers.map(who => ({ who, lines: who.campaignId % 3 === 0 ? lines : [lines[who.campaignId % 2] ?? line(1, 3)] }));
    await Promise.all(chosen.map(({ who, lines: own }) => held.take(who, { lines: own, wanted: 2 })));
    const usage = await registry.usage(lines.map(({ lineId }) => ({ kind: 'line', lineId })));
    expect(usage[0]).toBeLessThanOrEqual(3);
    expect(usage[1]).toBeLessThanOrEqual(5);
    for (const slot of held.slots) served.add(slot.campaignId);
    await held.giveBack(randomInt(random, 0, held.slots.length - 1));
    await held.giveBack(randomInt(random, 0, held.slots.length - 1));
  }
  expect(served.size).toBe(50);
});
