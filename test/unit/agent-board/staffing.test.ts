import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  averageWaitSeconds,
  hourlyRate,
  lossProbability,
  MAX_STAFF,
  outlooksOf,
  rateSince,
  waitProbability,
} from '#agent-board/decisions/staffing.ts';

const load = fc.double({ min: 0, max: 2_000, noNaN: true });
const agents = fc.integer({ min: 0, max: 2_000 });

test('ten calls since the first one, twelve minutes ago, are fifty an hour; a whole hour and the first minutes keep their bounds', () => {
  const at = 7_200_000;
  const minutesAgo = (minutes: number) => at - minutes * 60_000;
  expect(hourlyRate(10, rateSince(minutesAgo(12), at), at)).toBe(50);
  expect(rateSince(minutesAgo(60), at)).toBe(minutesAgo(60));
  expect(rateSince(minutesAgo(1), at)).toBe(minutesAgo(5));
  expect(rateSince(null, at)).toBe(minutesAgo(60));
});

describe('published values', () => {
  test.each([
    [1, 1, 0.5],
    [10, 14, 0.0568],
    [20, 30, 0.0085],
    [100, 110, 0.0275],
  ])('Erlang B: %d erlangs for %d agents lose %d of the calls', (erlangs, count, lost) => {
    expect(lossProbability(erlangs, count)).toBeCloseTo(lost, 4);
  });

  test.each([
    [1, 2, 0.3333],
    [10, 14, 0.1741],
    [20, 30, 0.025],
  ])('Erlang C: of %d erlangs for %d agents wait %d', (erlangs, count, waiting) => {
    expect(waitProbability(erlangs, count)).toBeCloseTo(waiting, 4);
  });

  test('the average wait of 10 erlangs of 3 minutes for 14 agents is 7.8 s', () => {
    expect(averageWaitSeconds(10, 14, 180)).toBeCloseTo(7.84, 1);
  });
});

describe('any load and any number of agents', () => {
  test('losses and waits are probabilities, and waiting is likelier than losing', () => {
    fc.assert(
      fc.property(load, agents, (erlangs, count) => {
        const [lost, waiting] = [lossProbability(erlangs, count), waitProbability(erlangs, count)];
        expect(lost).toBeGreaterThanOrEqual(0);
        expect(waiting).toBeLessThanOrEqual(1);
        expect(waiting).toBeGreaterThanOrEqual(lost - 1e-12);
      }),
    );
  });

  test('one agent more makes nothing likelier, and a higher load nothing rarer', () => {
    fc.assert(
      fc.property(load, agents, (erlangs, count) => {
        for (const probability of [lossProbability, waitProbability]) {
          expect(probability(erlangs, count + 1)).toBeLessThanOrEqual(probability(erlangs, count) + 1e-12);
          expect(probability(erlangs * 1.1, count)).toBeGreaterThanOrEqual(probability(erlangs, count) - 1e-12);
        }
      }),
    );
  });

  test('the wait is known exactly when the agents can carry the load', () => {
    fc.assert(fc.property(load, agents, (erlangs, count) => (averageWaitSeconds(erlangs, count, 60) === null) === erlangs >= count));
  });
});

describe('edges', () => {
  test('without agents everybody waits for ever; without a load nobody does', () => {
    expect([lossProbability(5, 0), waitProbability(5, 0), averageWaitSeconds(5, 0, 60)]).toEqual([1, 1, null]);
    expect([lossProbability(0, 3), waitProbability(0, 3), averageWaitSeconds(0, 3, 60)]).toEqual([0, 0, 0]);
  });

  test('a load of the most agents is still finite', () => {
    const lost = lossProbability(MAX_STAFF, MAX_STAFF);
    expect(lost).toBeGreaterThan(0.007);
    expect(lost).toBeLessThan(0.009);
  });
});

describe('the forecast', () => {
  test('compares the agents on duty with one less and one more [D12.11]', () => {
    // 60 calls of 3 minutes in an hour are 3 erlangs.
    const outlooks = outlooksOf({ arrivals: 60, handleSeconds: 180 }, 4);
    expect(outlooks.map(outlook => outlook.agents)).toEqual([3, 4, 5]);
    expect(outlooks[0]).toMatchObject({ waits: 1, waitSeconds: null });
    expect(outlooks[1]?.waits).toBeCloseTo(0.5094, 4);
    expect(outlooks[2]?.waits).toBeCloseTo(0.2362, 4);
  });

  test('has no row with less than nobody', () => {
    expect(outlooksOf({ arrivals: 6, handleSeconds: 60 }, 0).map(outlook => outlook.agents)).toEqual([0, 1]);
  });

  test('stays within the most agents that it counts', () => {
    expect(outlooksOf({ arrivals: 6, handleSeconds: 60 }, 20_000).at(-1)?.agents).toBe(MAX_STAFF);
  });
});
