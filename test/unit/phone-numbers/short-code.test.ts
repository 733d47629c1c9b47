import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { isBarredCode, shortCodeOf } from '#phone-numbers/short-code.ts';
import { spellings } from './spellings.ts';

const codeOf = (text: string, region: Region = 'CN') => shortCodeOf(dialKey(text, region), region);

describe('an emergency number or a service short code in any spelling [D4.6]', () => {
  test.each([
    ['110', '110'],
    ['１１０', '110'],
    ['1 1 0', '110'],
    ['0110', '110'],
    ['+86110', '110'],
    ['0086 110', '110'],
    ['010-110', '110'],
    ['021119', '119'],
    ['17951 120', '120'],
    ['122', '122'],
    ['12345', '12345'],
    ['021-12345', '12345'],
    ['+86 755 12345', '12345'],
    ['12306', '12306'],
    ['12110', '12110'],
    ['10086', '10086'],
    ['1008611', '1008611'],
    ['010-10086', '10086'],
    ['8610010', '10010'],
    ['95588', '95588'],
    ['0571-95588', '95588'],
    ['+8695555', '95555'],
    ['96110', '96110'],
  ])('%s is %s', (text, code) => expect(codeOf(text)).toBe(code));

  test.each([
    ['US', '911'],
    ['US', '1911'],
    ['US', '+1 988'],
    ['US', '411'],
    ['US', '46645'],
    ['HK', '999'],
    ['HK', '1823'],
    ['GB', '999'],
    ['GB', '112'],
    ['GB', '0101'],
    ['GB', '118118'],
  ] as const)('in %s, %s is a short code', (region, text) => expect(codeOf(text, region)).not.toBeNull());
});

test.each([
  '13800006100',
  '8001',
  '1001',
  '6688',
  '12345678',
  '021-61234567',
  '010-65529988',
  '4008001234',
  '+12125550100',
  '+1911',
  'abc',
  '*98#',
])('%s is no short code [D4.6]', text => expect(codeOf(text)).toBeNull());

test('an allowed code may be dialled in any spelling, others may not [D4.6]', () => {
  const place = { region: 'CN', allowedShortCodes: ['12345'] } as const;
  expect(['12345', '012345', '021-12345', '110'].map(text => isBarredCode(dialKey(text, 'CN'), place))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('no customer number is mistaken for one in any spelling [D4.6]', () => {
  fc.assert(
    fc.property(spellings, ({ key, region }) => expect(shortCodeOf(key, region)).toBeNull()),
    { numRuns: 5_000 },
  );
});
