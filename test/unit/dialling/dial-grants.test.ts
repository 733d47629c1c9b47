import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { matchGrants } from '#dialling/decisions/slot-offer.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';

const NUMBERS = ['010', '020', null] as const;
const grantsOf = (numbers: readonly (string | null)[]): SlotGrant[] =>
  numbers.map((number, index) => ({ requestId: `r${index}`, lineId: 1, number, cellId: 'c', startsInMs: index }));

const cases = fc.array(fc.record({ lastCallerNumber: fc.constantFrom(...NUMBERS), number: fc.constantFrom(...NUMBERS) }), { maxLength: 8 });

test('every contact gets its own grant [A1.4]', () => {
  fc.assert(
    fc.property(cases, fc.array(fc.constantFrom(...NUMBERS), { maxLength: 3 }), (rows, spare) => {
      const grants = grantsOf([...rows.map(row => row.number), ...spare]);
      const matched = matchGrants(rows, grants);
      expect(matched).toHaveLength(rows.length);
      expect(new Set(matched.map(grant => grant?.requestId)).size).toBe(rows.length);
    }),
  );
});

test('no retry keeps its last caller number if a swap with another contact can avoid it [D4.3]', () => {
  fc.assert(
    fc.property(cases, rows => {
      const repeats = (last: string | null | undefined, grant: SlotGrant | null | undefined) => last != null && last === grant?.number;
      const matched = matchGrants(rows, grantsOf(rows.map(row => row.number)));
      rows.forEach((row, index) => {
        if (!repeats(row.lastCallerNumber, matched[index])) return;
        const helps = rows.some(
          (other, at) => at !== index && !repeats(row.lastCallerNumber, matched[at]) && !repeats(other.lastCallerNumber, matched[index]),
        );
        expect(helps).toBe(false);
      });
    }),
  );
});

test('first attempts take the grants in order', () => {
  const grants = grantsOf(['010', '020', '030']);
  expect(matchGrants([{ lastCallerNumber: null }, { lastCallerNumber: null }], grants)).toEqual(grants.slice(0, 2));
});
