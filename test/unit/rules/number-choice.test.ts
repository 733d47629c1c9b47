import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { chooseNumber, preferOtherNumber } from '#rules/number-choice.ts';
import type { NumberCandidate, RotationState } from '#rules/number-choice.ts';

const candidate = (number: string, weight = 1, isAvailable = true): NumberCandidate => ({ number, weight, isAvailable });

function rotate(candidates: NumberCandidate[], times: number): string[] {
  const picked: string[] = [];
  let state: RotationState = {};
  for (let i = 0; i < times; i += 1) {
    const choice = chooseNumber(candidates, state);
    picked.push(choice.number ?? '-');
    state = choice.state;
  }
  return picked;
}

describe('chooseNumber', () => {
  test('spreads 5:1:1 smoothly: a a b a c a a [D4.3]', () => {
    expect(rotate([candidate('a', 5), candidate('b'), candidate('c')], 7)).toEqual(['a', 'a', 'b', 'a', 'c', 'a', 'a']);
  });

  test('uses every number in proportion over a cycle and returns to where it began [D4.3]', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }), weights => {
        const candidates = weights.map((weight, index) => candidate(`n${index}`, weight));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const picked = rotate(candidates, total);
        for (const { number, weight } of candidates) expect(picked.filter(other => other === number)).toHaveLength(weight);
        expect(rotate(candidates, 2 * total).slice(total)).toEqual(picked);
      }),
    );
  });

  test('passes over numbers at their cap, which neither gain nor pay [D4.3]', () => {
    const first = chooseNumber([candidate('a', 2), candidate('b', 1, false)], { a: 1, b: 7 });
    expect(first).toEqual({ number: 'a', state: { a: 1, b: 7 } });
  });

  test('picks none when none is available, and forgets numbers that left the pool', () => {
    expect(chooseNumber([candidate('a', 1, false)], { a: 3, gone: 5 })).toEqual({ number: null, state: { a: 3 } });
    expect(chooseNumber([], {})).toEqual({ number: null, state: {} });
  });
});

describe('preferOtherNumber', () => {
  test('a retry takes a number not used on the last attempt [D4.3]', () => {
    const candidates = preferOtherNumber([candidate('a', 1_000), candidate('b')], 'a');
    expect(chooseNumber(candidates, {}).number).toBe('b');
  });

  test('it takes the same number when no other is available [D4.3]', () => {
    const candidates = preferOtherNumber([candidate('a'), candidate('b', 1, false)], 'a');
    expect(chooseNumber(candidates, {}).number).toBe('a');
  });

  test('a first attempt has no preference', () => {
    const candidates = [candidate('a'), candidate('b')];
    expect(preferOtherNumber(candidates, null)).toEqual(candidates);
  });
});
