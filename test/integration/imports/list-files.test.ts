import { describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import { planColumns } from '#imports/column-mapping.ts';
import { fileTable, type HeaderSearch } from '#imports/file-table.ts';
import { readContacts } from '#imports/read-contacts.ts';
import { readTable, type SentFile } from '#imports/read-table.ts';
import { rowsOf, text, workbook } from '#test/support/workbook.ts';
import { expectLinear } from '#test/support/growth.ts';

/** Both bytes of each character that GB18030 writes in two. */
const GB18030_PAIRS = readPairs();

const BYTE_ORDER_MARK = '\ufeff';

interface ReadAs extends Partial<SentFile>, Partial<HeaderSearch> {}

/** Contacts that an import finds in a file, as `number name {metadata}`, and why rows fail. */
async function read(content: string | Uint8Array, { headerRow, region = 'CN', ...file }: ReadAs = {}) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const table = await readTable({ clock: systemClock, readWorkbook }, { fileName: '名单.csv', bytes, ...file }, { headerRow, region });
  const bounds = { now: systemClock.now(), zone: 'Asia/Shanghai', endsAt: null };
  const options = { region, carriers: [], landline: 'allow', home: region, ...bounds } as const;
  const { valid, failed } = await readContacts(systemClock, table, planColumns(table, null, region), options);
  return {
    headerRow: table.headerRow,
    hiddenRows: table.hiddenRows,
    contacts: valid.map(({ contact }) => [contact.phoneNumber, contact.customerName, contact.metadata]),
    rows: valid.map(({ rowNumber }) => rowNumber),
    reasons: failed.map(({ rowNumber, reason }) => [rowNumber, reason]),
  };
}

const ZHANG = ['13800138000', '张三', {}];

describe('encodings and separators [D6.4]', () => {
  const LIST = '手机号,姓名\r\n13800138000,张三\r\n';
  test.each<[string, string | Uint8Array, string]>([
    ['UTF-8', LIST, 'a.csv'],
    ['UTF-8 with a mark', BYTE_ORDER_MARK + LIST, 'a.csv'],
    ['GB18030', gb18030(LIST), 'a.csv'],
    ['UTF-16 as spreadsheets save Unicode text', Buffer.from(BYTE_ORDER_MARK + LIST.replaceAll(',', '\t'), 'utf16le'), 'a.txt'],
    ['tabs', LIST.replaceAll(',', '\t'), 'a.tsv'],
    ['tabs under the name of a CSV, in GB18030', gb18030(LIST.replaceAll(',', '\t')), 'a.csv'],
    ['semicolons', LIST.replaceAll(',', ';'), 'a.csv'],
    ['tabs below a title with commas', '外呼名单，甲,乙\n手机号\t姓名\n13800138000\t张三\n', 'a.csv'],
    ['old line ends', LIST.replaceAll('\r\n', '\r'), 'a.csv'],
    [
      'a workbook',
      workbook({
        名单: rowsOf([
          ['手机号', '姓名'],
          ['13800138000', '张三'],
        ]),
      }),
      'a.xlsx',
    ],
  ])('%s', async (_, content, fileName) => {
    expect(await read(content, { fileName })).toMatchObject({ contacts: [ZHANG], reasons: [] });
  });
});

describe('where the header is [D6.3]', () => {
  test.each<[string, string, number, number[]]>([
    ['below a title', '2026年11月外呼名单\n手机号,姓名\n13800138000,张三\n', 2, [1]],
    [
      'below a title that is as wide as the table, a note and a blank row',
      '外呼名单,,\n制表人：李四,,2026-11-28\n,,\n姓名,手机号,\n张三,13800138000,\n',
      4,
      [1],
    ],
    ['below a title with a phone number in words', '客服热线 400-800-1234 转 1\n手机号,姓名\n13800138000,张三\n', 2, [1]],
    ['nowhere', '13800138000,张三\n', 0, [1]],
    ['nowhere, the number last', '1,张三,13800138000\n2,李四,13900139000\n', 0, [1, 2]],
    ['nowhere, the number in full-width digits', '张三,１３８００１３８０００\n', 0, [1]],
    ['nowhere, beside days and amounts', '张三,2026-11-28,20261128,13800138000,1234567.50\n', 0, [1]],
    ['nowhere, below a title', '外呼名单\n张三,13800138000\n', 0, [1]],
    ['in the first row, with blank rows behind it', '手机号,姓名\n\n\n13800138000,张三\n', 1, [3]],
  ])('%s', async (_, content, headerRow, rows) => {
    expect(await read(content)).toMatchObject({ headerRow, rows, reasons: [] });
  });

  test('in two rows: groups above, and columns that span both', async () => {
    const content = '客户信息,,联系方式,,城市\n姓名,等级,手机,座机,\n张三,金卡,13800138000,010-65551234,北京\n';
    expect(await read(content)).toMatchObject({
      headerRow: 2,
      contacts: [['13800138000', '张三', { 等级: '金卡', 座机: '010-65551234', 城市: '北京' }]],
    });
  });

  test('in two rows with equal names in both groups: the group distinguishes them', async () => {
    const content = '手机号,本人,,配偶,\n,姓氏,生日,姓氏,生日\n13800138000,张,1980,李,1981\n';
    const { contacts } = await read(content);
    expect(contacts).toEqual([['13800138000', '', { 本人姓氏: '张', 本人生日: '1980', 配偶姓氏: '李', 配偶生日: '1981' }]]);
  });

  test('in a workbook below merged titles', async () => {
    const sheet = rowsOf([['外呼名单'], [], ['姓名', '手机号（必填）'], ['张三', '13800138000']]);
    expect(await read(workbook({ 名单: sheet }))).toMatchObject({ headerRow: 3, contacts: [ZHANG] });
  });

  test('where headerRow says; 0 means none', async () => {
    const content = '手机号,姓名\n号码,称呼\n13800138000,张三\n';
    expect(await read(content, { headerRow: 2 })).toMatchObject({ headerRow: 2, contacts: [ZHANG], reasons: [] });
    const many = content + '13800138000,张三\n'.repeat(10);
    expect(await read(many, { headerRow: 0 })).toMatchObject({ headerRow: 0, rows: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] });
    await expect(read(content, { headerRow: 9 })).rejects.toMatchObject({
      field: 'headerRow',
      message: expect.stringContaining('第 9 行不存在'),
    });
  });

  test('a first row with an invalid number is data, not a header', async () => {
    expect(await read('手机号,姓名,\n12,李四,x\n13800138000,张三,\n')).toMatchObject({
      headerRow: 1,
      rows: [2],
      reasons: [[1, expect.any(String)]],
    });
  });

  test("two columns of numbers without a header need the user's choice, with their samples", async () => {
    await expect(read('张三,13800138000,13900139000\n')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('第 2 列「column_2」（13800138000），第 3 列「column_3」（13900139000）'),
    });
  });

  test('a header without a number column is refused with its columns, even when one contains numbers [OCS 4.7 rule 4]', async () => {
    await expect(read('谁,号\n张三,13800138000\n')).rejects.toMatchObject({
      message: expect.stringMatching(/^参数错误：file 表头中没有号码列.*第 1 列「谁」（张三），第 2 列「号」（13800138000）$/),
    });
  });

  test('numbers of another region are recognised by its plan', async () => {
    expect(await read('Ann,(212) 456-7890\n', { region: 'US' })).toMatchObject({
      headerRow: 0,
      contacts: [['(212) 456-7890', '', { column_1: 'Ann' }]],
    });
  });
});

describe('column names with decoration [D6.3]', () => {
  test.each([
    '手机号（必填）',
    '*手机号',
    '手机号码：',
    '【手机号】',
    '手 机 号',
    '手机号\u200b',
    '手机号\ufe0f',
    '客户手机号',
    '客户联系电话(必填,11位)',
    '手機號碼',
    '聯絡電話',
    '行動電話',
    'Mobile No.',
    'Phone #',
    'Phone Number*',
    'Contact Number',
    'Cell Phone',
    'ＰＨＯＮＥ',
    'Customer Mobile',
    'Telephone',
  ])('%j is the number', async name => {
    expect(await read(`城市,"${name}"\n北京,13800138000\n`)).toMatchObject({ contacts: [['13800138000', '', { 城市: '北京' }]] });
  });

  test.each(['紧急联系人电话', '配偶手机号', '会员号码', 'Customer Number', '座机', '付款方式', 'Phone Model', 'username'])(
    '%j is not: it may be another person’s number, or not a phone number',
    async name => {
      await expect(read(`城市,${name}\n北京,13800138000\n`)).rejects.toThrow('表头中没有号码列');
    },
  );

  test('a column name that clients have used takes precedence over an alias, and its exact form over a decorated one', async () => {
    expect(await read('客户手机号,手机号\n13900139000,13800138000\n')).toMatchObject({
      contacts: [['13800138000', '', { 客户手机号: '13900139000' }]],
    });
    expect(await read('电话（旧）,电话\n13900139000,13800138000\n')).toMatchObject({
      contacts: [['13800138000', '', { '电话（旧）': '13900139000' }]],
    });
  });

  test('the same holds for the name and the remark', async () => {
    expect(await read('客户姓名*,手机号,備註\n张三,13800138000,旧\n')).toMatchObject({ contacts: [ZHANG] });
  });
});

describe('hidden and formatted content of a workbook [D6.3, D6.4]', () => {
  const row = (at: number, number: string, attributes = '') => `<row r="${at}"${attributes}>${text(`A${at}`, number)}</row>`;
  const list = `<row r="1">${text('A1', '手机号')}</row>${row(2, '13800138000')}${row(3, '13900139000', ' hidden="1"')}${row(4, '13700137000')}`;

  test('hidden rows are reported and skipped, and rows keep their numbers', async () => {
    expect(await read(workbook({ 名单: list }))).toMatchObject({ hiddenRows: 1, rows: [1, 3] });
    expect(await read(workbook({ 名单: list }), { includesHidden: true })).toMatchObject({ hiddenRows: 0, rows: [1, 2, 3] });
  });

  test('a hidden sheet is never the first, and is read when named', async () => {
    const file = workbook({ 旧: row(1, 'phone') + row(2, '13900139000'), 新: list }, {}, { hiddenSheets: ['旧'] });
    expect((await read(file)).contacts[0]).toEqual(['13800138000', '', {}]);
    expect((await read(file, { sheet: '旧' })).contacts).toEqual([['13900139000', '', {}]]);
    const { sheets } = await readWorkbook(file, { sheet: null, includesHidden: false });
    expect(sheets).toEqual([
      { name: '旧', isHidden: true },
      { name: '新', isHidden: false },
    ]);
  });

  const formats = ['00000000000', 'h:mm', '0000\\-0000', '&quot;0&quot;0000000000', '#,##0.00', 'yyyy/m/d h:mm'];
  const shown = async (style: number, value: string, tag = `<v>${value}</v>`) => {
    const sheet = `<row r="1"><c r="A1" s="${style}">${tag}</c></row>`;
    return (await readWorkbook(workbook({ 名单: sheet }, {}, { formats }), { sheet: null, includesHidden: false })).rows[0]?.[0];
  };

  test.each<[number, string, string]>([
    [2, '1065551234', '01065551234'],
    [2, '13800138000', '13800138000'],
    [2, '112233445566', '112233445566'],
    [4, '1234567', '0123-4567'],
    [5, '2165551234', '02165551234'],
    [6, '1234.5', '1234.5'],
    [0, '13800138000', '13800138000'],
  ])('style %d of %s shows %s: leading zeros of the format are restored', async (style, value, text) => {
    expect(await shown(style, value)).toBe(text);
  });

  test('leading zeros are restored in the result of a formula', async () => {
    expect(await shown(2, '', '<f>A2&amp;"x"</f><v>1065551234</v>')).toBe('01065551234');
  });

  test.each<[number, string, string]>([
    [3, '0.395833333333333', '09:30'],
    [3, '0.999988425925926', '23:59:59'],
    [3, '0', '00:00'],
    [7, '45292.395833333333', '2024-01-01 09:30:00'],
    [7, '45291.999999999', '2024-01-01'],
    [1, '45292', '2024-01-01'],
  ])('style %d of %s is %s: times are rounded to the second, not truncated', async (style, value, text) => {
    expect(await shown(style, value)).toBe(text);
  });
});

describe('invisible content [D6.3]', () => {
  test('empty columns after the last one do not count', async () => {
    const empty = ','.repeat(250);
    expect(await read(`手机号,姓名${empty}\n13800138000,张三${empty}\n`)).toMatchObject({ contacts: [ZHANG] });
    const sheet = `<row r="1">${text('A1', '手机号')}${text('B1', '姓名')}<c r="IR1"/></row><row r="2">${text('A2', '13800138000')}${text('B2', '张三')}<c r="IR2"/></row>`;
    expect(await read(workbook({ 名单: sheet }))).toMatchObject({ contacts: [ZHANG] });
    await expect(read(`手机号${empty},姓名\n13800138000${empty},张三\n`)).rejects.toThrow('最多 100 列');
  });

  test.each([
    '\u200b',
    '\u200e',
    '\u202a',
    '\u2060',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\ufe0d',
    '\ufe0f',
    '\u180e',
    '\u00ad',
    '\ufeff',
    '\u061c',
  ])('the invisible %j is not part of a number', async mark => {
    expect(await read(`手机号,姓名\n${mark}138${mark}00138000${mark},张三\n`)).toMatchObject({ contacts: [ZHANG] });
  });
});

describe('rows of a million columns [D6.3]', () => {
  const columns = (count: number) => Array.from({ length: count }, (_, index) => (index % 2 === 0 ? '手机' : 'a'));
  const tableOf = (cells: string[][]) =>
    fileTable(
      cells.map((row, index) => ({ row: index + 1, cells: row })),
      { region: 'CN' },
    );
  test.each<[string, (wide: string[]) => string[][]]>([
    ['the header', wide => [wide, wide]],
    ['a title', wide => [['名单'], wide, ['手机号', '姓名'], ['13800138000', '张三']]],
    ['both rows of a header', wide => [['手机号', '', ...wide], ['', '姓名', ...wide], ['13800138000']]],
    ['data without a header', wide => [['13800138000', ...wide]]],
  ])('are refused in a time that grows with their number: %s', (_, cells) => {
    expect(() => tableOf(cells(columns(1_000_000)))).toThrow();
    expectLinear(count => tableOf(cells(columns(count))), 500_000);
  });
});

describe('files that are refused as a whole [OCS 4.7 rule 4]', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => `1380013${String(index).padStart(4, '0')},客户\n`).join('');

  test.each<[string, string, number]>([
    ['at once', `手机号,姓名\n13800138000,"张三\n`, 2],
    ['a thousand rows before the end', `手机号,姓名\n13800138000,王\n13800138001,"张三\n${rows(1_000)}`, 3],
    ['with whole quotes behind it', `手机号,姓名\n13800138000,"张三\n13800138001,"李四"x\n${rows(5)}`, 2],
    ['behind a cell of several lines', `手机号,备注\n13800138000,"一\n二\n三"\n13800138001,"四\n`, 5],
  ])('an unclosed quote is reported where it opens: %s', async (_, content, line) => {
    await expect(read(content)).rejects.toThrow(`参数错误：file 第 ${line} 行开始的引号没有闭合`);
  });

  test.each<[string, string | Uint8Array, string]>([
    [
      'HTML',
      '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head></head><table><tr><td>手机号</td></tr></table></html>',
      '网页表格（HTML',
    ],
    ['a bare table in GB18030', gb18030('\r\n<table border="1"><tr><td>手机号</td></tr></table>'), '网页表格（HTML'],
    ['a page behind a declaration', '<?xml version="1.0"?>\n<!DOCTYPE html><html/>', '网页表格（HTML'],
    [
      'a spreadsheet in XML',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
      'XML 表格',
    ],
    ['an archived page', 'MIME-Version: 1.0\nContent-Type: multipart/related\n', '网页存档'],
    ['a workbook of Excel 97', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '旧版 Excel 工作簿（.xls）'],
    ['a workbook of Excel 5 without its envelope', Buffer.from('0908080000050500', 'hex'), '旧版 Excel 工作簿（.xls）'],
  ])('%s with the extension .xls is reported as such', async (_, content, name) => {
    await expect(read(content, { fileName: '名单.xls' })).rejects.toThrow(`参数错误：file 是${name}`);
  });
});

/** Encodes a text as spreadsheet programs in China save it; covers characters of one or two bytes. */
function gb18030(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    text.split('').flatMap(letter => {
      const code = letter.charCodeAt(0);
      const pair = code < 0x80 ? [code] : GB18030_PAIRS.get(letter);
      if (!pair) throw new Error(`${letter} has no two bytes in GB18030`);
      return [...pair];
    }),
  );
}

function readPairs(): ReadonlyMap<string, readonly [number, number]> {
  const decoder = new TextDecoder('gb18030');
  const [firstLead, firstTrail, last] = [0x81, 0x40, 0xfe];
  const found = new Map<string, readonly [number, number]>();
  for (let lead = firstLead; lead <= last; lead++) {
    for (let trail = firstTrail; trail <= last; trail++) found.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
  }
  return found;
}
