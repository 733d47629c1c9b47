import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { text, workbook } from '#test/support/workbook.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const PREVIEW = `mutation($file: Upload!, $sheet: String) { done: previewImport(file: $file, sheet: $sheet) { __typename
  ... on ImportPreview { sheets totalRows columns { name member samples } } ... on Refusal { code field } } }`;
const IMPORT = `mutation($id: ID!, $file: Upload!, $options: ImportOptions) { done: importContacts(campaignId: $id, file: $file, options: $options) {
  ... on ContactImport { createdRows errors { rowNumber reason column cells } } } }`;

/** A multipart request with one file. */
async function send(query: string, variables: object, file: string | Uint8Array<ArrayBuffer>, token = api.admin) {
  const form = new FormData();
  form.append('operations', JSON.stringify({ query, variables: { file: null, ...variables } }));
  form.append('map', JSON.stringify({ 0: ['variables.file'] }));
  form.append('0', new Blob([file]), '名单.csv');
  const answer = await fetch(`${api.server.url}/graphql`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
  // oxlint-disable-next-line typescript/no-explicit-any
  const { data, errors } = (await answer.json()) as any;
  return { done: data?.done, fault: errors?.[0]?.extensions };
}

describe('the preview of a file [D6.3]', () => {
  test('returns the suggested field of each column, with samples of its first rows', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => `客户${index},1390000000${index},北京${'很'.repeat(300)}`);
    const { done } = await send(PREVIEW, {}, ['姓名,手机号,城市', ...rows].join('\n'));
    expect(done).toMatchObject({ __typename: 'ImportPreview', sheets: [], totalRows: 7 });
    expect(done.columns.map(({ name, member }: { name: string; member: string }) => [name, member])).toEqual([
      ['姓名', 'CUSTOMER_NAME'],
      ['手机号', 'PHONE_NUMBER'],
      ['城市', 'METADATA'],
    ]);
    expect(done.columns[1].samples).toEqual(['13900000000', '13900000001', '13900000002', '13900000003', '13900000004']);
    expect(done.columns[2].samples[0]).toHaveLength(200);
  });

  test('suggests no number when no header names one: the user chooses it', async () => {
    const { done } = await send(PREVIEW, {}, '谁,号\n张三,13900000001\n');
    expect(done.columns.map(({ member }: { member: string }) => member)).toEqual(['METADATA', 'METADATA']);
  });

  test('lists the sheets of a workbook, and reads the named one', async () => {
    const sheet = (...rows: [string, string][]) =>
      rows.map(([one, two], index) => `<row r="${index + 1}">${text(`A${index + 1}`, one)}${text(`B${index + 1}`, two)}</row>`).join('');
    const first = sheet(['phone', 'city'], ['13900000001', '北京']);
    const file = new Uint8Array(workbook({ 一: first, 二: sheet(['mobile', 'name'], ['13900000002', '李四']) }));
    expect((await send(PREVIEW, {}, file)).done).toMatchObject({ sheets: ['一', '二'], columns: [{ name: 'phone' }, { name: 'city' }] });
    expect((await send(PREVIEW, { sheet: '二' }, file)).done).toMatchObject({ columns: [{ name: 'mobile' }, { name: 'name' }] });
    expect((await send(PREVIEW, { sheet: '三' }, file)).done).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'sheet' });
  });

  test('refuses unreadable files, and users who may not import', async () => {
    expect((await send(PREVIEW, {}, 'phone,phone\n1,2\n')).done).toMatchObject({ __typename: 'InputRefused', field: 'file' });
    expect((await send(PREVIEW, {}, '')).done).toMatchObject({ field: 'file' });
    expect((await send(PREVIEW, {}, 'phone\n1\n', await api.server.loginAs('agent'))).fault).toMatchObject({ code: 'FORBIDDEN' });
  });
});

test('a rejected row is returned as in the file, with the column at fault [D6.5]', async () => {
  const { id } = await api.campaign();
  const file = `手机号,姓名,城市\n13900000001,张三,北京\n12,李四,上海\n13900000001,王五,广州\n13900000002,${'长'.repeat(200)},深圳\n13900000003,赵六,成都,多\n`;
  const { done } = await send(IMPORT, { id, options: { dryRun: true } }, file);
  expect(done.createdRows).toBe(1);
  const told = done.errors.map(({ rowNumber, column, cells }: { rowNumber: number; column: string; cells: string[] }) => [
    rowNumber,
    column,
    cells[2],
  ]);
  expect(told).toEqual([
    [2, '手机号', '上海'],
    [3, '手机号', '广州'],
    [4, '姓名', '深圳'],
    [5, null, '成都'],
  ]);
});

describe('how a file is read [D6.3]', () => {
  const READ = `mutation($file: Upload!, $headerRow: Int, $includeHidden: Boolean, $region: String) {
    done: previewImport(file: $file, headerRow: $headerRow, includeHidden: $includeHidden, region: $region) { __typename
    ... on ImportPreview { sheets hiddenSheets hiddenRows headerRow topRows { row cells } totalRows columns { key name member looksLikeNumbers } }
    ... on Refusal { code field } } }`;

  test('the header is found below title rows, and chosen among the first rows', async () => {
    const file = '外呼名单,,\n\n姓名,手机号,\n张三,13900000001,x\n';
    const { done } = await send(READ, {}, file);
    expect(done).toMatchObject({
      headerRow: 3,
      totalRows: 1,
      topRows: [
        { row: 1, cells: ['外呼名单', '', ''] },
        { row: 3, cells: ['姓名', '手机号', ''] },
        { row: 4, cells: ['张三', '13900000001', 'x'] },
      ],
      columns: [
        { key: '姓名', name: '姓名', member: 'CUSTOMER_NAME', looksLikeNumbers: false },
        { key: '手机号', name: '手机号', member: 'PHONE_NUMBER', looksLikeNumbers: true },
        { key: 'column_3', name: '', member: 'METADATA', looksLikeNumbers: false },
      ],
    });
    expect((await send(READ, { headerRow: 0 }, file)).done).toMatchObject({
      headerRow: 0,
      totalRows: 3,
      columns: [{ key: 'column_1' }, {}, {}],
    });
    expect((await send(READ, { headerRow: 2 }, file)).done).toMatchObject({ __typename: 'InputRefused', field: 'headerRow' });
    expect((await send(READ, { headerRow: -1 }, file)).done).toMatchObject({ __typename: 'InputRefused' });
    expect((await send(READ, { region: 'ZZ' }, file)).done).toMatchObject({ __typename: 'InputRefused', field: 'region' });
  });

  test('hidden sheets and rows are reported', async () => {
    const rows = `<row r="1">${text('A1', 'phone')}</row><row r="2" hidden="1">${text('A2', '13900000001')}</row><row r="3">${text('A3', '13900000002')}</row>`;
    const file = workbook({ 旧: rows, 新: rows }, {}, { hiddenSheets: ['旧'] });
    expect((await send(READ, {}, file)).done).toMatchObject({ sheets: ['旧', '新'], hiddenSheets: ['旧'], hiddenRows: 1, totalRows: 1 });
    expect((await send(READ, { includeHidden: true }, file)).done).toMatchObject({ hiddenRows: 0, totalRows: 2 });
    const { id } = await api.campaign();
    const importing = (options: object) => send(IMPORT.replace('createdRows', 'createdRows hiddenRows'), { id, options }, file);
    expect((await importing({})).done).toMatchObject({ createdRows: 1, hiddenRows: 1 });
    expect((await importing({ includeHidden: true, headerRow: 1 })).done).toMatchObject({ createdRows: 1, hiddenRows: 0 });
  });
});

describe('the numbers of a list', () => {
  const READ = `mutation($file: Upload!, $column: String, $headerRow: Int, $region: String) {
    done: readNumbers(file: $file, column: $column, headerRow: $headerRow, region: $region) { __typename
    ... on NumberList { column columns { key name samples looksLikeNumbers } numbers { rowNumber phoneNumber reason } } ... on Refusal { code field } } }`;
  const numbersIn = async (file: string, variables: object = {}) => {
    const { done } = await send(READ, variables, file);
    return done.numbers.map(({ phoneNumber, reason }: { phoneNumber: string; reason: string }) => [phoneNumber, reason]);
  };

  test('come from a workbook, by the header of the column', async () => {
    const row = (at: number, one: string, two: string) => `<row r="${at}">${text(`A${at}`, one)}${text(`B${at}`, two)}</row>`;
    const file = new Uint8Array(workbook({ 名单: row(1, '原因', '手机号') + row(2, '投诉', '13900000001') + row(3, '', '13900000002') }));
    expect((await send(READ, {}, file)).done.numbers).toEqual([
      { rowNumber: 2, phoneNumber: '13900000001', reason: '投诉' },
      { rowNumber: 3, phoneNumber: '13900000002', reason: '' },
    ]);
  });

  test('are numbers of the given region, without the apostrophes of an export [D6.1, D6.4]', async () => {
    const file = "phone,why\n(212) 555-0100,'-50元\n";
    expect(await numbersIn(file, { region: 'US' })).toEqual([['+12125550100', '-50元']]);
  });

  test('come from a text without a header, even of one line', async () => {
    expect((await send(READ, {}, '13900000001\n')).done.numbers).toEqual([{ rowNumber: 1, phoneNumber: '13900000001', reason: '' }]);
    const { done } = await send(READ, {}, '13900000001;客户要求\n\n13900000002;\n');
    expect(done.numbers.map(({ phoneNumber, reason }: { phoneNumber: string; reason: string }) => [phoneNumber, reason])).toEqual([
      ['13900000001', '客户要求'],
      ['13900000002', ''],
    ]);
  });

  test('come from the column with numbers, not from row numbers [D8.7]', async () => {
    const listed = [
      ['13900000001', '1 投诉'],
      ['13900000002', '2 拒绝'],
      ['13900000003', '3'],
    ];
    expect(await numbersIn('1,13900000001,投诉\n2,13900000002,拒绝\n3,13900000003,\n')).toEqual(listed);
    expect(await numbersIn('勿扰名单（2026年）\n1\t13900000001\t投诉\n2\t13900000002\t拒绝\n3\t13900000003\n')).toEqual(listed);
    expect(await numbersIn('序号,手机号（必填）,原因\n1,13900000001,投诉\n')).toEqual([['13900000001', '1 投诉']]);
  });

  test.each([
    ['two columns of numbers', '13900000001,010-65551234\n13900000002,010-65551235\n', ['column_1', 'column_2']],
    ['none', '1,投诉\n2,拒绝\n', []],
    ['a single column that counts', '1\n2\n3\n', []],
    ['a name that another column belies', '号码,备用\n1,13900000001\n2,13900000002\n', ['备用']],
  ])("need the user's choice when several columns could have them: %s [D8.7]", async (_, file, likely) => {
    const { done } = await send(READ, {}, file);
    expect(done).toMatchObject({ column: null, numbers: [] });
    expect(
      done.columns.filter((column: { looksLikeNumbers: boolean }) => column.looksLikeNumbers).map(({ key }: { key: string }) => key),
    ).toEqual(likely);
    expect(done.columns[0].samples.length).toBeGreaterThan(0);
  });

  test('come from the column that the user chose [D8.7]', async () => {
    const file = '13900000001,010-65551234\n13900000002,010-65551235\n';
    expect(await numbersIn(file, { column: 'column_2' })).toEqual([
      ['010-65551234', '13900000001'],
      ['010-65551235', '13900000002'],
    ]);
    expect(await numbersIn('1,投诉\n', { column: 'column_1', headerRow: 0 })).toEqual([['1', '投诉']]);
    expect((await send(READ, { column: '没有' }, file)).done).toMatchObject({ __typename: 'InputRefused', field: 'column' });
    expect(await numbersIn('Ann,(212) 456-7890\n', { region: 'US' })).toEqual([['+12124567890', 'Ann']]);
  });

  test('may be read by users who maintain the list', async () => {
    expect((await send(READ, {}, '1', await api.server.loginAs('agent'))).fault).toMatchObject({ code: 'FORBIDDEN' });
    expect((await send(READ, {}, '%PDF-1.4')).done).toMatchObject({ __typename: 'InputRefused', field: 'file' });
  });
});
