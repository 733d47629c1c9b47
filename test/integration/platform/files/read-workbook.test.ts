import { describe, expect, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { readWorkbook as readSheet } from '#platform/files/read-workbook.ts';
import { HEADER, text, workbook } from '#test/support/workbook.ts';

const readWorkbook = async (bytes: Uint8Array, sheet: string | null) => (await readSheet(bytes, { sheet, includesHidden: false })).rows;

/** A workbook whose cells all refer to one shared text. */
function sharedText(length: number, cells: number): Uint8Array {
  const rows = Array.from({ length: cells }, (_, row) => `<row r="${row + 1}"><c r="A${row + 1}" t="s"><v>0</v></c></row>`);
  return workbook({ 一: rows.join('') }, { 'xl/sharedStrings.xml': strToU8(`<sst><si><t>${'a'.repeat(length)}</t></si></sst>`) });
}

describe('rows of a workbook [D6.3]', () => {
  test('are texts: numbers without an exponent, dates as days, formulas as their results', async () => {
    const row = `<row r="2"><c r="A2"><v>1.3800138E10</v></c>${text('B2', '=1+1')}<c r="C2" s="1"><v>45292</v></c></row>
      <row r="4"><c r="A4"><f>1+1</f><v>2</v></c><c r="B4" t="b"><v>1</v></c><c r="C4"><v>0.5</v></c></row>`;
    expect(await readWorkbook(workbook({ 名单: HEADER + row }), null)).toEqual([
      ['手机号', '姓名', '日期'],
      ['13800138000', '=1+1', '2024-01-01'],
      ['', '', ''],
      ['2', 'TRUE', '0.5'],
    ]);
  });

  test('are those of the first sheet, or of the named one', async () => {
    const file = workbook({ 一: HEADER, 二: `<row r="1">${text('A1', 'phone')}</row>` });
    expect((await readWorkbook(file, null))[0]).toEqual(['手机号', '姓名', '日期']);
    expect(await readWorkbook(file, '二')).toEqual([['phone']]);
    await expect(readWorkbook(file, '三')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'sheet',
      message: expect.stringContaining('三'),
    });
  });

  test.each([
    ['an archive of something else', zipSync({ 'a.xml': strToU8('<a/>') }), '不是 Excel 工作簿'],
    ['a broken archive', workbook({ 一: HEADER }).slice(0, 400), '已损坏'],
    ['broken XML', workbook({ 一: HEADER }, { 'xl/workbook.xml': strToU8('<workbook><') }), '已损坏'],
    ['a bomb', workbook({ 一: HEADER }, { 'xl/worksheets/sheet9.xml': new Uint8Array(40 * 1024 * 1024) }), '解压后过大'],
    [
      'endless entries',
      zipSync(Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`${index}.png`, new Uint8Array(1)]))),
      '文件过多',
    ],
    ['endless cells', workbook({ 一: '<row><c r="A1"/></row>'.repeat(1_300_000) }), '过'],
    ['one cell in row 9,999,999', workbook({ 一: `<row>${text('A9999999', '13800138000')}</row>` }), '行数过多'],
    ['a text that 2,000 cells share', sharedText(32_000, 2_000), '文字过多'],
  ])('%s is refused by name', async (_, bytes, fault) => {
    await expect(readWorkbook(bytes, null)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'file',
      message: expect.stringContaining(fault),
    });
  });

  test('an entry that is larger than its stated size gets no more memory', async () => {
    const honest = workbook({ 一: HEADER + `<row r="2">${text('A2', '13800138000')}</row>`.padEnd(200_000) });
    // Sizes are in the archive's directory and before each entry, little-endian: about 200,000 become 2,000.
    const lying = Buffer.from(honest);
    const size = honest.length;
    for (let at = 0; at < size - 4; at++) {
      const value = lying.readUInt32LE(at);
      if (value > 200_000 && value < 201_000) lying.writeUInt32LE(2_000, at);
    }
    await expect(readWorkbook(lying, null)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'file' });
  });
});
