import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { EMPTY_SHARE, shareFairly } from '#rules/fair-share.ts';
import type { ShareClaim, ShareState } from '#rules/fair-share.ts';

const claim = (campaignId: number, monitoringPriority = 0, demand = 1_000): ShareClaim => ({ campaignId, monitoringPriority, demand });

const claims = fc.uniqueArray(
  fc.record({
    campaignId: fc.integer({ min: 1, max: 20 }),
    monitoringPriority: fc.integer({ min: 0, max: 100 }),
    demand: fc.integer({ min: 0, max: 50 }),
  }),
  {
    selector: ({ campaignId }) => campaignId,
    maxLength: 6,
  },
);

/** Dials of each campaign when rounds of the given capacities follow one another. */
function run(list: readonly ShareClaim[], capacities: readonly number[]): Map<number, number> {
  const dials = new Map(list.map(({ campaignId }) => [campaignId, 0]));
  let state: ShareState = EMPTY_SHARE;
  for (const capacity of capacities) {
    const result = shareFairly(list, capacity, state);
    for (const { campaignId, count } of result.grants) dials.set(campaignId, (dials.get(campaignId) ?? 0) + count);
    state = result.state;
  }
  return dials;
}

describe('shareFairly', () => {
  test('one round shares by weight, which is monitoringPriority + 1 [D5.4]', () => {
    expect(shareFairly([claim(1, 2), claim(2, 0)], 8, EMPTY_SHARE).grants).toEqual([
      { campaignId: 1, count: 3 },
      { campaignId: 2, count: 1 },
      { campaignId: 1, count: 3 },
      { campaignId: 2, count: 1 },
    ]);
  });

  test('a turn goes on where the last round ended', () => {
    const list = [claim(1, 2), claim(2, 0)];
    const first = shareFairly(list, 2, EMPTY_SHARE);
    expect(first).toEqual({ grants: [{ campaignId: 1, count: 2 }], state: { turnOf: 1, credit: 1 } });
    expect(shareFairly(list, 2, first.state).grants).toEqual([
      { campaignId: 1, count: 1 },
      { campaignId: 2, count: 1 },
    ]);
  });

  test('what one does not want goes to the others', () => {
    expect(shareFairly([claim(1, 100, 1), claim(2, 0, 9)], 6, EMPTY_SHARE).grants).toEqual([
      { campaignId: 1, count: 1 },
      ...Array.from({ length: 5 }, () => ({ campaignId: 2, count: 1 })),
    ]);
  });

  test('grants all that can be granted and nothing more', () => {
    fc.assert(
      fc.property(claims, fc.integer({ min: 0, max: 200 }), (list, capacity) => {
        const { grants } = shareFairly(list, capacity, EMPTY_SHARE);
        const demand = list.reduce((sum, { demand }) => sum + demand, 0);
        expect(grants.reduce((sum, { count }) => sum + count, 0)).toBe(Math.min(capacity, demand));
        for (const { campaignId, demand } of list) {
          const granted = grants.filter(grant => grant.campaignId === campaignId).reduce((sum, { count }) => sum + count, 0);
          expect(granted).toBeLessThanOrEqual(demand);
        }
      }),
    );
  });

  test('no campaign starves: each is served within one turn of all others, however the capacity comes', () => {
    fc.assert(
      fc.property(claims, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }), (list, pattern) => {
        const wanting = list.filter(({ demand }) => demand > 0).map(entry => ({ ...entry, demand: 1_000 }));
        const oneTurnOfAll = wanting.reduce((sum, { monitoringPriority }) => sum + monitoringPriority + 1, 0);
        const capacities: number[] = [];
        for (let total = 0, i = 0; total < oneTurnOfAll; i += 1) {
          const capacity = pattern[i % pattern.length] ?? 1;
          capacities.push(capacity);
          total += capacity;
        }
        for (const dials of run(wanting, capacities).values()) expect(dials).toBeGreaterThan(0);
      }),
    );
  });

  test('in the long run the shares are those of the weights', () => {
    const dials = run(
      [claim(1, 0), claim(2, 1), claim(3, 6)],
      Array.from({ length: 100 }, () => 1),
    );
    expect([...dials.values()]).toEqual([10, 20, 70]);
  });

  test('the order of claims does not matter, and a turn whose campaign left passes on', () => {
    const list = [claim(1), claim(2, 1), claim(3)];
    expect(shareFairly(list.toReversed(), 3, EMPTY_SHARE)).toEqual(shareFairly(list, 3, EMPTY_SHARE));
    expect(shareFairly([claim(1), claim(3)], 1, { turnOf: 2, credit: 5 }).grants).toEqual([{ campaignId: 3, count: 1 }]);
    expect(shareFairly([], 5, { turnOf: 2, credit: 5 })).toEqual({ grants: [], state: { turnOf: 2, credit: 5 } });
  });
});
