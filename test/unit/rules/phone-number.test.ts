import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { destinationNumber, dialKey, MAX_DESTINATION_LENGTH, numberKey } from '#rules/phone-number.ts';

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

  test('accepts exactly the longest number', () => {
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

  test('lets no character through that means anything to the switch [D4.5]', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123+*#\r\n\0{}[]<>|,;:&$@/\\\'"` '.split('')) })), raw => {
        expect(destinationNumber(raw) ?? '0').toMatch(/^\+?[0-9*#]+$/);
      }),
    );
  });
});

describe('numberKey', () => {
  test('strips separators and nothing else [D6.1]', () => {
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

describe('dialKey', () => {
  test.each([
    '13800138000',
    '+8613800138000',
    '008613800138000',
    '+86 138-0013-8000',
    '0086 (138) 00138000',
    '8613800138000',
    '868613800138000',
  ])('knows %s as the same number [D8.7]', raw => expect(dialKey(raw)).toBe('13800138000'));

  test('strips a prefix that was added twice', () => {
    expect(dialKey('+860086138')).toBe('138');
  });

  test('strips a bare 86 only before a mobile number [D6.1]', () => {
    expect(dialKey('861065529988')).toBe('861065529988');
    expect(dialKey('8612800138000')).toBe('8612800138000');
    expect(dialKey('86123456')).toBe('86123456');
  });

  test('lets what has no digit stand for itself [D6.1]', () => {
    expect(dialKey('- ( )')).toBe('- ( )');
    expect(dialKey('ab-c')).toBe('ab-c');
    expect(dialKey('abc')).toBe('abc');
  });

  test('strips no other prefix [D8.7]', () => {
    expect(dialKey('+8526123')).toBe('+8526123');
  });

  test('keeps a bare prefix, so that a key is never empty', () => {
    expect(dialKey('+86')).toBe('+86');
    expect(dialKey('0086')).toBe('0086');
    expect(dialKey('+86+86')).toBe('+86');
  });

  test('is idempotent, never empty, and blind to the spelling that is dialled [D8.7]', () => {
    fc.assert(
      fc.property(phoneLike, raw => {
        expect(dialKey(dialKey(raw))).toBe(dialKey(raw));
        expect(dialKey(raw) === '').toBe(raw === '');
        const dialled = destinationNumber(raw);
        if (dialled !== null) expect(dialKey(dialled)).toBe(dialKey(raw));
      }),
    );
  });
});
