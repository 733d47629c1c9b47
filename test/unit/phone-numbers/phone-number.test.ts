import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { destinationNumber, MAX_DESTINATION_LENGTH, numberKey } from '#phone-numbers/phone-number.ts';

const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+*# -()8600'.split('')), maxLength: 40 });

describe('destinationNumber', () => {
  test.each([
    ['13800138000', '13800138000'],
    ['+86 138-0013-8000', '+8613800138000'],
    ['(010) 6552 9988', '01065529988'],
    ['*98#', '*98#'],
    ['1', '1'],
  ])('dials %s as %s [D4.5]', (raw, dialled) => expect(destinationNumber(raw)).toBe(dialled));

  test.each([
    ['', 'empty'],
    ['- ( )', 'only separators'],
    ['138a', 'letter'],
    ['138+00', 'plus inside'],
    ['++86', 'two pluses'],
    ['+', 'no digit'],
    ['*#', 'no digit'],
    ['138\t000', 'tab'],
    ['138\n000', 'line feed'],
    ['１３８', 'full-width digits'],
    ['138,8000', 'comma'],
    ['138000@evil', 'domain'],
    ['1'.repeat(MAX_DESTINATION_LENGTH + 1), 'too long'],
  ])('refuses %j: %s [D4.5]', raw => expect(destinationNumber(raw)).toBeNull());

  test('accepts a number of exactly the maximum length', () => {
    expect(destinationNumber('1'.repeat(MAX_DESTINATION_LENGTH))).toHaveLength(MAX_DESTINATION_LENGTH);
  });

  test('is idempotent [D4.5]', () => {
    fc.assert(
      fc.property(phoneLike, raw => {
        const dialled = destinationNumber(raw);
        if (dialled !== null) expect(destinationNumber(dialled)).toBe(dialled);
      }),
    );
  });

  test('lets no character with a meaning for the switch through [D4.5]', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123+*#\r\n\0{}[]<>|,;:&$@/\\\'"` '.split('')) })), raw => {
        expect(destinationNumber(raw) ?? '0').toMatch(/^\+?[0-9*#]+$/);
      }),
    );
  });
});

describe('numberKey', () => {
  test('strips only separators [D6.1]', () => {
    expect(numberKey('+86 (138) 0013-8000')).toBe('+8613800138000');
    expect(numberKey('abc-1')).toBe('abc1');
  });

  test('is idempotent and never empty for non-empty input [D6.1]', () => {
    expect(numberKey('- -')).toBe('- -');
    fc.assert(
      fc.property(fc.oneof(phoneLike, fc.string()), raw => {
        expect(numberKey(numberKey(raw))).toBe(numberKey(raw));
        expect(numberKey(raw) === '').toBe(raw === '');
      }),
    );
  });
});
