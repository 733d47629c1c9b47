import { describe, expect, test } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { longPlan, shortPlan } from './fault-plan.ts';

const seeds = integer({ min: 0, max: 0xffff_ffff });

describe('the plan of faults', () => {
  test('the same seed gives the same plan', () => {
    assert(
      property(seeds, integer({ min: 1, max: 20 }), (seed, minutes) => {
        expect(longPlan(seed, minutes)).toEqual(longPlan(seed, minutes));
        expect(shortPlan(seed)).toEqual(shortPlan(seed));
      }),
    );
  });

  test('ten minutes contain every kind of fault', () => {
    assert(
      property(seeds, seed => {
        const kinds = new Set(longPlan(seed, 10).flatMap(step => step.faults.map(fault => fault.kind)));
        expect(kinds.size).toBe(20);
      }),
    );
  });

  test('two simultaneous faults hit different parts', () => {
    assert(
      property(seeds, seed => {
        for (const { faults } of longPlan(seed, 10)) {
          const parts = faults.map(({ kind }) => kind.split('.')[0]);
          expect(new Set(parts).size).toBe(parts.length);
        }
      }),
    );
  });
});
