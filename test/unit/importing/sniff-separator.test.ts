import { describe, expect, test } from '@jest/globals';
import { sniffSeparator } from '#operations/importing/sniff-separator.ts';

describe('separator of an uploaded file', () => {
  test.each([
    ['a.csv', '手机号,姓名', ','],
    ['a.csv', '手机号;姓名;备注', ';'],
    ['a.txt', '手机号\t姓名', '\t'],
    ['a.csv', '手机号', ','],
    ['A.TSV', '手机号,姓名', '\t'],
    ['a.csv', '"姓名;备注;说明",手机号', ','],
    ['a.csv', '\r\n\r\n手机号;姓名\n1,2,3,4', ';'],
    ['', '', ','],
  ])('%s with %j is separated by %j [D6.4]', (fileName, text, separator) => {
    expect(sniffSeparator(fileName, text)).toBe(separator);
  });
});
