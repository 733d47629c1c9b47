import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dialKey, type Region, spelledAt } from '#phone-numbers/dial-key.ts';
import { dialledNumber, nationalNumber, type NumberStyle } from '#phone-numbers/dialled-number.ts';
import { listedNumberFault, listedPrefixFault } from '#phone-numbers/listed-number.ts';
import { ALL_SPELLINGS, REGIONS, type Spelling, spellings } from './spellings.ts';
import { expectLinear } from '#test/support/growth.ts';

const SAME: readonly [Region, string, readonly string[]][] = [
  [
    'CN',
    '+8613800006100',
    [
      '13800006100',
      '013800006100',
      '+86(0)138 0000 6100',
      '17951 13800006100',
      '17909013800006100',
      '12593 0086 138-0000-6100',
      '+86 17951 13800006100',
      '008613800006100',
      '86138 0000 6100',
      '868613800006100',
      '+86+8613800006100',
      '（+86）１３８００００６１００',
      '13800006100转101',
      '138-0000-6100 ext. 5',
      '138.0000.6100',
      'tel:+86-138-0000-6100',
      '\u202a13800006100\u202c',
    ],
  ],
  [
    'CN',
    '+862161234567',
    ['021-61234567', '+862161234567', '(021)6123 4567', '17951 021 61234567', '021-61234567-101', '021-61234567 分机 8', '86 21 61234567'],
  ],
  ['CN', '+862112345678', ['021-12345678', '+862112345678', '002112345678'.replace('00', '0086')]],
  ['US', '+12125550100', ['(212) 555-0100', '+12125550100', '0012125550100', '01112125550100', '1-212-555-0100', '212.555.0100 x12']],
  ['HK', '+85223456789', ['2345 6789', '+852 2345 6789', '00852 2345 6789', '852-23456789', '001 852 2345 6789']],
  ['GB', '+442079460018', ['020 7946 0018', '+44 (0)20 7946 0018', '00442079460018', '442079460018', '(020) 7946-0018']],
];

describe('every spelling of a number has the same key [D8.7]', () => {
  for (const [region, key, texts] of SAME) test.each(texts)(`%s in ${region} is ${key}`, text => expect(dialKey(text, region)).toBe(key));
});

describe('a text that is not a possible number is its own key, without separators [D6.1]', () => {
  test.each([
    ['110', '110'],
    ['10 086', '10086'],
    ['8001', '8001'],
    ['*98#', '*98#'],
    ['+8526123', '+8526123'],
    ['+86', '+86'],
    ['0086', '0086'],
    ['138a', '138a'],
    ['1.38E+10', '1.38E+10'],
    ['13800006100.0', '13800006100.0'],
    ['13800006100/13900006100', '13800006100/13900006100'],
    ['12345678901234', '12345678901234'],
    ['- ( )', '- ( )'],
    ['abc', 'abc'],
  ])('%s is %s', (text, key) => expect(dialKey(text, 'CN')).toBe(key));
});

const NATIONAL = { numberFormat: 'national', localPrefixes: '' } as const;

describe('a line dials the number in its format, derived from the key [D4.5]', () => {
  const dialled = (text: string, numberFormat: NumberStyle['numberFormat'], localPrefixes = '') =>
    dialledNumber(dialKey(text, 'CN'), 'CN', { numberFormat, localPrefixes });

  test.each([
    ['national', '+86(0)138 0000 6100', '13800006100'],
    ['national', '+862161234567', '02161234567'],
    ['national', '5551234', '5551234'],
    ['national', '4008001234', '4008001234'],
    ['national', '0012125550100', '+12125550100'],
    ['national', '8001', '8001'],
    ['national', 'abc', null],
    ['e164', '13800006100', '+8613800006100'],
    ['e164', '8001', '8001'],
    ['e164_without_plus', '021-61234567', '862161234567'],
    ['e164_without_plus', '0012125550100', '12125550100'],
    ['national_with_trunk_elsewhere', '13800006100', '013800006100'],
    ['national_with_trunk_elsewhere', '021-61234567', '02161234567'],
    ['national_with_trunk_elsewhere', '4008001234', '4008001234'],
    ['national_with_trunk_elsewhere', '5551234', '5551234'],
  ] as const)('%s: %s as %s', (format, text, number) => expect(dialled(text, format)).toBe(number));

  test('a number with a local prefix of the line gets no trunk prefix', () => {
    const near = (text: string) => dialled(text, 'national_with_trunk_elsewhere', '1380000, 139');
    expect(['013800006100', '13900000000', '13800016100'].map(near)).toEqual(['13800006100', '13900000000', '013800016100']);
  });
});

const region = fc.constantFrom(...REGIONS);

test('thousands of spellings from four regions have the key of their number [D8.7]', () => {
  fc.assert(
    fc.property(spellings, ({ region: home, key, text }: Spelling) => {
      expect(dialKey(text, home)).toBe(key);
    }),
    { numRuns: 6_000 },
  );
});

test('two different numbers never have the same key [D6.1]', () => {
  fc.assert(
    fc.property(spellings, spellings, (one, other) => {
      expect(dialKey(one.text, one.region) === dialKey(other.text, other.region)).toBe(one.key === other.key);
    }),
    { numRuns: 3_000 },
  );
});

test('a key is its own key in every region, and the dialled number leads back to it [D8.7]', () => {
  fc.assert(
    fc.property(spellings, region, ({ key, region: home }, other) => {
      expect(dialKey(key, other)).toBe(key);
      expect(dialKey(nationalNumber(key, home), home)).toBe(key);
      expect(dialKey(dialledNumber(key, home, NATIONAL) ?? '', home)).toBe(key);
    }),
    { numRuns: 2_000 },
  );
});

test('every non-empty text has a non-empty key, which is its own key', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789+*# -()8600.转x,;'.split('')), maxLength: 40 }));
  fc.assert(
    fc.property(text, region, (raw, home) => {
      const key = dialKey(raw, home);
      expect(dialKey(key, home)).toBe(key);
      expect(key === '').toBe(raw === '');
    }),
    { numRuns: 3_000 },
  );
});

test.each(['86', '1', '0', '00', '+86', '１', '1-', '1.', '17951', '- ', '\ufdfa1', '1#', '转1'])(
  'a very long text of %j takes no more time than a long one',
  unit => {
    expectLinear(times => REGIONS.map(home => dialKey(unit.repeat(times), home)), 60_000);
  },
);

test('the generator covers every kind of spelling', () => expect(ALL_SPELLINGS.length).toBeGreaterThan(40));

describe('a number of a list for another region', () => {
  test('is stored so that the installation reads the same one, and as it was written where it does [D6.1]', () => {
    expect(dialKey('2125550100', 'CN')).not.toBe('+12125550100');
    expect(spelledAt('CN', '(212) 555-0100', 'US')).toBe('+12125550100');
    expect(spelledAt('CN', '+1 212 555 0100', 'US')).toBe('+1 212 555 0100');
    expect(spelledAt('CN', '138 0000 6100', 'CN')).toBe('138 0000 6100');
    fc.assert(
      fc.property(spellings, fc.constantFrom(...REGIONS), ({ region, key, text }, home) => {
        expect(dialKey(spelledAt(home, text, region), home)).toBe(key);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('an entry of a list', () => {
  test.each(SAME)('of %s, %s, may be written in every spelling that is compared [D8.7]', (region, _key, texts) => {
    expect(texts.map(text => listedNumberFault(text, region))).toEqual(texts.map(() => null));
  });

  test.each(['', '1', '12', 'abc', '张三', '客户要求 3 个月内不要打', '13800006100, 13900000001'])(
    '%j would exclude nobody, so it is refused [D8.7]',
    text => expect(listedNumberFault(text, 'CN')?.code).toMatch(/^(?:undiallable|shortPrefix)$/),
  );

  test.each<[Region, string, boolean]>([
    ['CN', '+86', false],
    ['CN', '86', false],
    ['CN', '0086', false],
    ['CN', '（+86）', false],
    ['CN', '+8', false],
    ['CN', '+86138', true],
    ['CN', '138', true],
    ['CN', '0', true],
    ['CN', '+852', true],
    ['CN', '00', true],
    ['CN', '+1', true],
    ['US', '+1', false],
    ['US', '1', false],
    ['US', '1900', true],
    ['HK', '+852', false],
    ['HK', '+8', false],
  ])('of prefixes at %s: %s is longer than the country code: %j [D8.7]', (region, prefix, isAllowed) =>
    expect(listedPrefixFault(prefix, region) === null).toBe(isAllowed),
  );
});
