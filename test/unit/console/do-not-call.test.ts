import { expect, test } from '@jest/globals';
import { hasOtherColumns, readNumbers } from '../../../console/pages/do-not-call/numbers-list.ts';

test('a list of numbers is read as a spreadsheet exports it: headings are skipped, and line numbers match the input', () => {
  expect(readNumbers('\uFEFF号码,原因\r\n13900000001,投诉\n\n"13900000002"\t客户 要求\n 13900000003 ')).toEqual([
    { line: 2, text: '13900000001,投诉', phoneNumber: '13900000001', reason: '投诉' },
    { line: 4, text: '"13900000002"\t客户 要求', phoneNumber: '13900000002', reason: '客户 要求' },
    { line: 5, text: ' 13900000003 ', phoneNumber: '13900000003', reason: '' },
  ]);
});

test.each([
  ['1,13900000001,投诉\n2,13900000002,', true],
  ['张三\t13900000001', true],
  ['13900000001,投诉\n+86 139-0000-0002\t客户', false],
  ['95588, 银行', false],
  ['13900000001\t010-65551234', false],
])('other columns before the number are detected: %j [D8.7]', (text, isSo) => {
  expect(hasOtherColumns(text)).toBe(isSo);
});
