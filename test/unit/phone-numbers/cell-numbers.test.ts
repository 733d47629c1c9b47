import { describe, expect, test } from '@jest/globals';
import { cellNumbers } from '#phone-numbers/cell-numbers.ts';
import { extensionOf } from '#phone-numbers/dial-key.ts';

const plain = (...phoneNumbers: string[]) => phoneNumbers.map(phoneNumber => ({ phoneNumber, extension: '' }));

describe('numbers of a cell', () => {
  test.each([
    ['13800138000 13900139000', plain('13800138000', '13900139000')],
    ['13800138000/13900139000', plain('13800138000', '13900139000')],
    ['13800138000、13900139000', plain('13800138000', '13900139000')],
    ['13800138000，13900139000', plain('13800138000', '13900139000')],
    ['138-0013-8000; 139-0013-9000', plain('138-0013-8000', '139-0013-9000')],
    ['13800138000 或 010-65551234', plain('13800138000', '010-65551234')],
    ['+8613800138000\n+8613900139000', plain('+8613800138000', '+8613900139000')],
    ['138 0013 8000、139 0013 9000', plain('138 0013 8000', '139 0013 9000')],
    ['010-65551234转801、13800138000', [{ phoneNumber: '010-65551234', extension: '801' }, ...plain('13800138000')]],
  ])('takes two numbers of one cell apart: %j [D6.7]', (cell, numbers) => expect(cellNumbers(cell, 'CN')).toEqual(numbers));

  test.each([
    ['010-65551234-801', '010-65551234'],
    ['010-65551234转801', '010-65551234'],
    ['010-65551234 分机801', '010-65551234'],
    ['(010)65551234 ext. 801', '(010)65551234'],
    ['01065551234x801', '01065551234'],
    ['13800138000#801', '13800138000'],
  ])('takes the extension off: %j [D6.7]', (cell, phoneNumber) => {
    expect(cellNumbers(cell, 'CN')).toEqual([{ phoneNumber, extension: '801' }]);
    expect(extensionOf(cell, 'CN')).toBe('801');
  });

  test.each([
    '138 0013 8000',
    '+86 (138) 0013-8000',
    '0571 8888 8888',
    '4008-001-234',
    '',
    'x',
    '110/120',
    '13800138000/abc',
    '1'.repeat(300),
  ])('leaves %j whole [D6.7]', cell => {
    expect(cellNumbers(cell, 'CN')).toEqual(plain(cell));
    expect(extensionOf(cell, 'CN')).toBe('');
  });
});
