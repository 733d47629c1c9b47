import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type Asker,
  costOf,
  EMPTY_SHARE,
  mayTake,
  nextInLine,
  type Share,
  stopWaiting,
  takeSlot,
  waitForSlot,
} from '#test/support/stores/fair-share.ts';
import { weightOf } from '#campaigns/campaign.ts';

const asker = (campaignId: number, monitoringPriority = 0): Asker => ({ campaignId, weight: weightOf(monitoringPriority) });
const AT = 1_000;
const UNTIL = 9_000;

function waits(share: Share, who: Asker, wanted = 1_000): Share {
  return waitForSlot(share, who, { wanted, at: AT, until: UNTIL });
}

/** Gives each released slot to the first of the campaigns, in the given order, that may take it. */
function serve(start: Share, askers: readonly Asker[], releases: number): { share: Share; grants: number[] } {
  let share = start;
  const grants: number[] = [];
  for (let index = 0; index < releases; index++) {
    const winner = askers.find(candidate => mayTake(share, candidate, 1, AT));
    if (!winner) throw new Error('a free slot that nobody may take');
    share = waits(takeSlot(share, winner, AT), winner);
    grants.push(winner.campaignId);
  }
  return { share, grants };
}

const counts = (grants: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(grants, campaignId => campaignId)].map(([campaignId, group]) => [campaignId, group.length]));

const weights = fc.uniqueArray(fc.record({ campaignId: fc.integer({ min: 1, max: 60 }), weight: fc.integer({ min: 1, max: 101 }) }), {
  selector: ({ campaignId }) => campaignId,
  minLength: 1,
  maxLength: 8,
});

describe('shares', () => {
  test('priorities 0, 0 and 3 share a full line 1 : 1 : 4 [D5.4]', () => {
    const askers = [asker(1), asker(2), asker(3, 3)];
    const start = askers.reduce((share, who) => waits(share, who), EMPTY_SHARE);
    expect(counts(serve(start, askers, 60).grants)).toEqual({ 1: 10, 2: 10, 3: 40 });
  });

  test('a campaign alone on a line takes everything', () => {
    expect(mayTake(waits(EMPTY_SHARE, asker(1)), asker(1), 5, AT)).toBe(true);
    expect(mayTake(EMPTY_SHARE, asker(1), 1, AT)).toBe(true);
    expect(mayTake(EMPTY_SHARE, asker(1), 0, AT)).toBe(false);
  });

  test('slots not needed by campaigns with an earlier tag can be taken', () => {
    const share = waits(takeSlot(takeSlot(EMPTY_SHARE, asker(1), AT), asker(1), AT), asker(2), 1);
    expect(mayTake(share, asker(1), 1, AT)).toBe(false);
    expect(mayTake(share, asker(1), 2, AT)).toBe(true);
  });

  test('a campaign that does not repeat its request in time no longer waits', () => {
    const share = waits(takeSlot(EMPTY_SHARE, asker(1), AT), asker(2));
    expect(mayTake(share, asker(1), 1, UNTIL - 1)).toBe(false);
    expect(mayTake(share, asker(1), 1, UNTIL)).toBe(true);
    expect(nextInLine(share, UNTIL)).toEqual([]);
  });

  test('a campaign that stops waiting reserves nothing', () => {
    const share = waits(takeSlot(EMPTY_SHARE, asker(1), AT), asker(2));
    expect(mayTake(stopWaiting(share, 2), asker(1), 1, AT)).toBe(true);
  });

  test('a new campaign has no credit for the time when it was idle', () => {
    let share = EMPTY_SHARE;
    for (let index = 0; index < 1_000; index++) share = takeSlot(share, asker(1), AT);
    share = waits(waits(share, asker(1)), asker(2));
    expect(counts(serve(share, [asker(1), asker(2)], 20).grants)).toEqual({ 1: 10, 2: 10 });
  });

  test('a campaign that returns after each call has no advantage over waiting ones', () => {
    let share = waits(EMPTY_SHARE, asker(2));
    share = takeSlot(share, asker(1), AT);
    expect(mayTake(share, asker(1), 1, AT)).toBe(false);
    expect(nextInLine(share, AT)).toEqual([2]);
  });
});

describe('for any weights', () => {
  test('a free slot always finds a taker, and grants follow the weights', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 400 }), (askers, releases) => {
        const start = askers.reduce((share, who) => waits(share, who), EMPTY_SHARE);
        const { grants } = serve(start, askers, releases);
        const total = askers.reduce((sum, { weight }) => sum + weight, 0);
        const had = counts(grants);
        for (const { campaignId, weight } of askers) {
          const share = (releases * weight) / total;
          // No campaign deviates from its share by more than one turn of all others.
          expect(Math.abs((had[campaignId] ?? 0) - share)).toBeLessThanOrEqual(
            askers.length + weight / Math.min(...askers.map(a => a.weight)),
          );
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a new campaign is served within one turn of the others', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 101 }), fc.integer({ min: 0, max: 300 }), (others, weight, before) => {
        const newcomer = { campaignId: 99, weight };
        const start = others.reduce((share, who) => waits(share, who), EMPTY_SHARE);
        const busy = serve(start, others, before).share;
        const bound = others.reduce((sum, other) => sum + Math.ceil(costOf(weight) / costOf(other.weight)) + 1, 1);
        const { grants } = serve(waits(busy, newcomer), [...others, newcomer], bound);
        expect(grants).toContain(99);
      }),
      { numRuns: 100 },
    );
  });
});
