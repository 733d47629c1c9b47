import { describe, expect, test } from '@jest/globals';
import { separatedText } from '#platform/files/read-table.ts';

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
    expect(separatedText(fileName, text)).toEqual({ separator, text });
  });

  test.each([
    ['sep=;\r\n手机号;姓名,别名', ';', '\n手机号;姓名,别名'],
    ['"SEP=|"\n手机号|姓名', '|', '\n手机号|姓名'],
    ['sep=\t\n手机号\t姓名', '\t', '\n手机号\t姓名'],
    ['sep=,', ',', '\n'],
  ])('a first line that declares it decides: %j [D6.4]', (text, separator, rest) => {
    expect(separatedText('a.tsv', text)).toEqual({ separator, text: rest });
  });
});
