import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const text = readFileSync(join(import.meta.dirname, '../../../examples/contacts.csv'), 'utf8');
const rows: Record<string, string>[] = parse(text, { columns: true });
const numbers = rows.map(row => row['手机号'] ?? '');

function typeOf(number: string): string | undefined {
  const parsed = parsePhoneNumberFromString(number, 'CN');
  return parsed?.isValid() ? parsed.getType() : undefined;
}

test('the example has 300 rows under a Chinese header, like the export of a shop', () => {
  expect(Object.keys(rows[0] ?? {})).toEqual(['手机号', '姓名', '备注', '城市', '产品', '会员等级', '合约到期日']);
  expect(rows).toHaveLength(300);
  expect(rows.every(row => (row['姓名'] ?? '').length > 0)).toBe(true);
});

test('no phone number of the example is in use: mobile numbers have the block 0000, landlines 555', () => {
  const digits = numbers.filter(typeOf).map(number => number.replaceAll(/\D/g, ''));
  expect(digits.filter(number => !/^1\d\d0000\d{4}$/.test(number) && !/^0\d{2,3}555\d{5}$/.test(number))).toEqual([]);
});

test('the example has typical faults: 8 bad numbers, 3 duplicates, 2 landlines', () => {
  expect(numbers.filter(number => typeOf(number) === undefined)).toEqual([
    '',
    '电话待补',
    '1380000',
    '',
    '1.39E+10',
    'abc13800001',
    '12345',
    '1.39E+10',
  ]);
  const valid = numbers.filter(typeOf).map(number => number.replaceAll(/\D/g, ''));
  expect(valid.length - new Set(valid).size).toBe(3);
  expect(numbers.filter(number => typeOf(number) === 'FIXED_LINE')).toHaveLength(2);
});
