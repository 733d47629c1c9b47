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
  test('says which column would become what, with what stands in its first rows', async () => {
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

  test('names no number where the header has none that is known: the reader says which it is', async () => {
    const { done } = await send(PREVIEW, {}, '谁,号\n张三,13900000001\n');
    expect(done.columns.map(({ member }: { member: string }) => member)).toEqual(['METADATA', 'METADATA']);
  });

  test('lists the sheets of a workbook, and reads the one that is named', async () => {
    const sheet = (...rows: [string, string][]) =>
      rows.map(([one, two], index) => `<row r="${index + 1}">${text(`A${index + 1}`, one)}${text(`B${index + 1}`, two)}</row>`).join('');
    const first = sheet(['phone', 'city'], ['13900000001', '北京']);
    const file = new Uint8Array(workbook({ 一: first, 二: sheet(['mobile', 'name'], ['13900000002', '李四']) }));
    expect((await send(PREVIEW, {}, file)).done).toMatchObject({ sheets: ['一', '二'], columns: [{ name: 'phone' }, { name: 'city' }] });
    expect((await send(PREVIEW, { sheet: '二' }, file)).done).toMatchObject({ columns: [{ name: 'mobile' }, { name: 'name' }] });
    expect((await send(PREVIEW, { sheet: '三' }, file)).done).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'sheet' });
  });

  test('refuses what cannot be read, and whoever may not import', async () => {
    expect((await send(PREVIEW, {}, 'phone,phone\n1,2\n')).done).toMatchObject({ __typename: 'InputRefused', field: 'file' });
    expect((await send(PREVIEW, {}, '')).done).toMatchObject({ field: 'file' });
    expect((await send(PREVIEW, {}, 'phone\n1\n', await api.server.loginAs('agent'))).fault).toMatchObject({ code: 'FORBIDDEN' });
  });
});

test('a row that made no contact is told as the file has it, with the column at fault [D6.5]', async () => {
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

describe('the numbers of a list', () => {
  const READ = `mutation($file: Upload!) { done: readNumbers(file: $file) { __typename
    ... on NumberList { numbers { rowNumber phoneNumber reason } } ... on Refusal { code field } } }`;

  test('come from a workbook, by the column that the header names', async () => {
    const row = (at: number, one: string, two: string) => `<row r="${at}">${text(`A${at}`, one)}${text(`B${at}`, two)}</row>`;
    const file = new Uint8Array(workbook({ 名单: row(1, '原因', '手机号') + row(2, '投诉', '13900000001') + row(3, '', '13900000002') }));
    expect((await send(READ, {}, file)).done.numbers).toEqual([
      { rowNumber: 2, phoneNumber: '13900000001', reason: '投诉' },
      { rowNumber: 3, phoneNumber: '13900000002', reason: '' },
    ]);
  });

  test('come from a text without a header, of one line too', async () => {
    expect((await send(READ, {}, '13900000001\n')).done.numbers).toEqual([{ rowNumber: 1, phoneNumber: '13900000001', reason: '' }]);
    const { done } = await send(READ, {}, '13900000001;客户要求\n\n13900000002;\n');
    expect(done.numbers.map(({ phoneNumber, reason }: { phoneNumber: string; reason: string }) => [phoneNumber, reason])).toEqual([
      ['13900000001', '客户要求'],
      ['13900000002', ''],
    ]);
  });

  test('are read for those who keep the list', async () => {
    expect((await send(READ, {}, '1', await api.server.loginAs('agent'))).fault).toMatchObject({ code: 'FORBIDDEN' });
    expect((await send(READ, {}, '%PDF-1.4')).done).toMatchObject({ __typename: 'InputRefused', field: 'file' });
  });
});
