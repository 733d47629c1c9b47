import { describe, expect, test } from '@jest/globals';
import { isFoundInTexts, maskedNumber, withoutNumber } from '#phone-numbers/phone-number.ts';

const KEY = '+8613800138000';

test.each([
  [KEY, '***8000'],
  ['+12025550100', '***0100'],
  ['10086', '***'],
])('of %s only the end is shown, or nothing if it is short: %s', (key, mask) => {
  expect(maskedNumber(key)).toBe(mask);
});

test.each([
  [KEY, true],
  ['+1 202', false],
  ['10086', false],
  ['无', false],
])('%s can be searched for in texts: %s', (key, isFound) => {
  expect(isFoundInTexts(key)).toBe(isFound);
});

describe('a number inside a value [D8.7]', () => {
  test.each([
    '13800138000',
    '138-0013-8000',
    '+86 138 0013 8000',
    '0086(138)00138000',
    '+8613800138000',
    '8613800138000',
    '013800138000',
    '17951 13800138000',
    '１３８００１３８０００',
    '+86 (0)138 0013 8000',
  ])('is masked when spelled %s', spelled => {
    expect(withoutNumber({ a: [`号码 ${spelled}，李雷`] }, KEY)).toEqual({ a: ['号码 ***8000，李雷'] });
  });

  test.each(['113800138000', '138001380001', '8513800138000', '1380013800'])('is not found in the other number %s', other => {
    expect(withoutNumber({ a: other }, KEY)).toEqual({ a: other });
  });

  test('is masked as a numeric value too, while other values stay', () => {
    expect(withoutNumber({ phone: 13_800_138_000, id: 138, is: true, none: null }, KEY)).toEqual({
      phone: '***8000',
      id: 138,
      is: true,
      none: null,
    });
  });

  test('is matched literally, whatever characters it contains', () => {
    expect(withoutNumber('ring *6+1 or 66661', '*6+1')).toBe('ring *** or 66661');
  });
});
