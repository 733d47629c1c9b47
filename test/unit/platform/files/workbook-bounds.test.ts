import { describe, expect, test } from '@jest/globals';
import { strToU8 } from 'fflate';
import { requireBounded, textBudget } from '#platform/files/workbook-bounds.ts';

const sheet = (rows: string) => ({ 'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`) });
const filled = (at: string) => `<c r="${at}"><v>1</v></c>`;

describe('the size of a workbook is counted before it is read [D6.3]', () => {
  test.each([
    ['10,000 rows of 100 columns', '<row r="10000"><c r="CV10000"><v>1</v></c></row>'],
    ['rows without numbers', '<row><c r="A1"><v>1</v></c></row><row><c r="A2"><v>1</v></c></row>'],
    ['a last row that is only formatted', `<row r="1">${filled('A1')}</row><row r="1048576"><c r="A1048576" s="1"/></row>`],
    ['empty cells far to the right', `<row r="1">${filled('A1')}<c r="XFD1" s="1"></c></row>`],
    [
      'prefixed names, attributes in any order and quotes',
      `<x:row spans='1:2' r='1'><x:c\n s="1"\tr='A1' t="n"><x:v>1</x:v></x:c></x:row>`,
    ],
    ['names that begin like those of cells', '<cols><col min="1"/></cols><rowBreaks/><row r="1"><c r="A1"><cm/></c></row>'],
  ])('%s are accepted', (_, rows) => {
    expect(() => requireBounded(sheet(rows))).not.toThrow();
  });

  test.each([
    ['one cell far below', `<row>${filled('A9999999')}</row>`, '行数过多：内容到第 9999999 行'],
    ['one row far below', `<row r="9999999">${filled('A1')}</row>`, '行数过多'],
    ['a row number beyond every spreadsheet', `<row>${filled('A99999999')}</row>`, '已损坏'],
    ['a position hidden behind a character reference', `<row><c r="A&#57;9999999"><v>1</v></c></row>`, '已损坏'],
    ['a number with an exponent', '<row r="1e9"><c r="A1"/></row>', '已损坏'],
    ['two positions of one cell', '<row><c r="A1" r="A9999999"><v>1</v></c></row>', '行数过多'],
    ['a position with a namespace prefix', '<row><c x:r="A9999999"><v>1</v></c></row>', '行数过多'],
    ['one cell far to the right of many rows', `<row r="1">${filled('XFD1')}</row><row r="100">${filled('A100')}</row>`, '单元格过多'],
    ['millions of empty rows', '<row r="5000000"/>', '行数过多'],
    ['a tag that does not end', '<row r="1"><c r="A1"', '已损坏'],
  ])('%s is refused', (_, rows, fault) => {
    expect(() => requireBounded(sheet(rows))).toThrow(fault);
  });

  test.each([' ', '\t', '\r\n', '>', '/>'])('a cell counts whatever character follows its tag name (%j)', after => {
    const cell = after.includes('>') ? `<c${after}` : `<c${after}r="A1"/>`;
    expect(() => requireBounded(sheet(`<row>${cell.repeat(1_200_001)}</row>`))).toThrow('单元格过多');
  });

  test('a sheet counts wherever it is in the archive', () => {
    expect(() => requireBounded({ 'xl/other/a.xml': sheet(`<row>${filled('A9999999')}</row>`)['xl/worksheets/sheet1.xml'] })).toThrow(
      '行数过多',
    );
  });

  test('shared strings are counted, and formats must be short', () => {
    expect(() => requireBounded({ 'xl/sharedStrings.xml': strToU8('<si/>'.repeat(2_000_001)) })).toThrow('文本过多');
    expect(() => requireBounded({ 'xl/styles.xml': strToU8(`<numFmt formatCode="${'['.repeat(1_001)}"/>`) })).toThrow('已损坏');
  });

  test('a shared string counts for each cell that uses it', () => {
    const budgeted = textBudget();
    const text = 'a'.repeat(32_767);
    expect(() => {
      for (let cell = 0; cell < 1_100; cell++) budgeted(text);
    }).toThrow('工作表的文字过多');
  });
});
