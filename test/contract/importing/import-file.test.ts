import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { HEADER, rowsOf, text, workbook } from '#test/support/workbook.ts';
import { ManagementApi, required } from '../campaigns/builders.ts';
import { type FileContent, uploads } from './uploads.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const { upload, formOf, contactsOf, total } = uploads(() => api);

const ROWS = `phone\n${Array.from({ length: 3_000 }, (_, index) => 13_800_000_000 + index).join('\n')}`;

describe('POST /api/campaigns/:id/import-files', () => {
  test('imports a sheet of an XLSX file, the first or the named one [D6.3]', async () => {
    const { id } = await api.campaign();
    const row = (number: string) => `${HEADER}<row r="2"><c r="A2"><v>${number}</v></c>${text('B2', '王小明')}</row>`;
    const file = Buffer.from(workbook({ 一月: row('13800138000'), 二月: row('13800138001') }));
    expect(await upload(id, file)).toMatchObject({ status: 200, data: { createdRows: 1 } });
    expect(await upload(id, file, { sheet: '二月' })).toMatchObject({ status: 200, data: { createdRows: 1 } });
    expect(await upload(id, file, { sheet: '三月' })).toMatchObject({ status: 400, msg: expect.stringContaining('三月') });
    expect((await contactsOf(id)).map(({ phoneNumber }) => phoneNumber)).toEqual(['13800138000', '13800138001']);
  });

  test('imports a CSV and returns every rejected row [OCS 4.7, 2.7, D6.3–5]', async () => {
    const { id } = await api.campaign();
    const file = [
      '手机号,姓名,备注,城市',
      '13800138000,王小明,老客户,杭州',
      '1.39E+10,赵六,,',
      '138-0013-8000,重复,,',
      '13900139000,"李, 四",=1+1,',
    ].join('\r\n');
    expect(await upload(id, file)).toMatchObject({
      status: 200,
      code: '0000',
      data: {
        totalRows: 4,
        createdRows: 2,
        skippedRows: 2,
        duplicateRows: 1,
        failedRows: 1,
        errors: [
          { rowNumber: 2, phoneNumber: '1.39E+10', reason: expect.stringContaining('科学计数法') },
          { rowNumber: 3, phoneNumber: '138-0013-8000', reason: '号码与第 1 行重复' },
        ],
      },
    });
    expect(await contactsOf(id)).toMatchObject([
      { phoneNumber: '13800138000', customerName: '王小明', remark: '老客户', metadata: { 城市: '杭州' }, status: 'pending' },
      { phoneNumber: '13900139000', customerName: '李, 四', remark: '=1+1', metadata: {} },
    ]);
    expect(await api.audited('campaign', id)).toContain('contact.imported');
  });

  test('accepts GB18030 and tab-separated files [D6.4]', async () => {
    const { id } = await api.campaign();
    // 手机号\t姓名
    const header = Uint8Array.from([0xca, 0xd6, 0xbb, 0xfa, 0xba, 0xc5, 0x09, 0xd0, 0xd5, 0xc3, 0xfb, 0x0a]);
    // 13800138000\t王
    const row = Uint8Array.from([...new TextEncoder().encode('13800138000\t'), 0xcd, 0xf5]);
    expect(await upload(id, new Uint8Array([...header, ...row]))).toMatchObject({ status: 200, data: { createdRows: 1 } });
    expect(await contactsOf(id)).toMatchObject([{ phoneNumber: '13800138000', customerName: '王' }]);
  });

  test('mapping, region, carrier and landline apply [D6.3]', async () => {
    const { id } = await api.campaign();
    const mapping = JSON.stringify({ phoneNumber: 'tel no', metadata: { city: '城' } });
    const us = 'tel no,城,其他\n212-456-7890,纽约,x\n13800138000,杭州,y';
    expect(await upload(id, us, { mapping, region: 'us' })).toMatchObject({ data: { createdRows: 1, failedRows: 1 } });
    expect((await contactsOf(id))[0]).toMatchObject({ phoneNumber: '+12124567890', metadata: { city: '纽约' } });
    const china = 'phone\n13800138001\n13012345678\n13312345678\n010-65551234';
    expect(await upload(id, china, { carrier: 'mobile,unicom', landline: 'reject' })).toMatchObject({
      data: { createdRows: 2, failedRows: 2 },
    });
  });

  test('headerRow and includeHidden apply, and columns without names can be mapped [D6.3]', async () => {
    const { id } = await api.campaign();
    const mapping = JSON.stringify({ phoneNumber: 'column_2', customerName: 'column_1', metadata: { city: 'column_3' } });
    expect(await upload(id, '张三,13800138000,杭州\n李四,13900139000,\n', { mapping, headerRow: '0' })).toMatchObject({
      data: { createdRows: 2 },
    });
    expect(await upload(id, '张三,13700137000,杭州\n', { mapping })).toMatchObject({ data: { createdRows: 1 } });
    expect((await contactsOf(id))[0]).toMatchObject({ phoneNumber: '13800138000', customerName: '张三', metadata: { city: '杭州' } });
    expect(await upload(id, '手机号\n旧名单\n手机号码\n13600136000\n', { headerRow: '3' })).toMatchObject({
      data: { createdRows: 1, failedRows: 0 },
    });
    const row = (at: number, number: string, hidden = '') => `<row r="${at}"${hidden}>${text(`A${at}`, number)}</row>`;
    const file = Buffer.from(workbook({ 名单: row(1, 'phone') + row(2, '13500135000') + row(3, '13400134000', ' hidden="1"') }));
    expect((await upload(id, file)).data).toMatchObject({ createdRows: 1, hiddenRows: 1 });
    const all = (await upload(id, file, { includeHidden: '1' })).data;
    expect([all.createdRows, all.duplicateRows, all.hiddenRows]).toEqual([1, 1, undefined]);
    for (const headerRow of ['-1', 'x', '1.5'])
      expect(await upload(id, 'phone\n13800138000', { headerRow })).toMatchObject({ status: 400 });
  });

  test('a contact imported for another region is matched by do-not-call, edits and erasure in the format that the console shows [D6.1, D8.7]', async () => {
    const { id } = await api.campaign();
    required(await upload(id, 'phone,name\n(212) 456-7891,Ann', { region: 'US' }));
    const [contact] = await contactsOf(id);
    const shown = String(contact?.phoneNumber);
    required(await api.post('/api/dnc', { phoneNumber: shown }));
    required(await api.patch(`/api/campaigns/${id}/contacts/${contact?.id}`, { remark: '改过', phoneNumber: shown }));
    expect((await api.get(`/api/campaigns/${id}/preflight`)).data.skips).toMatchObject({ dnc: 1 });
    // The same person again, as a file of the installation's own region may write the number.
    const again = await api.post(`/api/campaigns/${id}/contacts`, { contacts: [{ phoneNumber: '001 212 456 7891' }] });
    expect(again.data).toMatchObject({ createdRows: 0, duplicateRows: 1 });
  });

  test.each(['zh', 'en'])('its own export in %s is imported unchanged, from CSV and from a workbook [D6.4]', async language => {
    const { id } = await api.campaign();
    const contacts = [
      {
        phoneNumber: '13800138000',
        customerName: "'=王",
        remark: '-50元',
        metadata: { 余额: '-50元', 公式: '=1+1', 嵌套: { a: [1, null] } },
      },
      { phoneNumber: '010-65551234', customerName: '＝李', remark: "''+1", metadata: {} },
      { phoneNumber: '+8613900139000', customerName: '赵"六",', remark: '@x', metadata: { a: '1' } },
    ];
    required(await api.post(`/api/campaigns/${id}/contacts`, { contacts }));
    const exported = await fetch(`${api.server.url}/api/exports/contacts?campaignId=${id}&language=${language}&order=asc`, {
      headers: { Authorization: `Bearer ${api.admin}` },
    });
    const csv = await exported.text();
    const again = await api.campaign();
    expect(await upload(again.id, csv)).toMatchObject({ status: 200, data: { createdRows: 3, failedRows: 0 } });
    expect(await contactsOf(again.id)).toMatchObject(contacts);
    for (const [index, { metadata }] of (await contactsOf(again.id)).entries()) expect(metadata).toEqual(contacts[index]?.metadata);
    const cells = parse(csv, { bom: true });
    const escaped = cells.map(row => row.map(cell => cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')));
    const third = await api.campaign();
    expect(await upload(third.id, Buffer.from(workbook({ 名单: rowsOf(escaped) })))).toMatchObject({ data: { createdRows: 3 } });
    expect(await contactsOf(third.id)).toMatchObject(contacts);
  });

  test('dryRun=1 returns the same and writes nothing [D6.3]', async () => {
    const { id } = await api.campaign();
    await upload(id, 'phone\n13800138000');
    const file = 'phone\n13800138000\n13800138001\nx';
    const preview = await upload(id, file, { dryRun: '1' });
    expect(await total(id)).toBe(1);
    expect((await upload(id, file, { dryRun: '0' })).data).toEqual(preview.data);
    expect(await total(id)).toBe(2);
  });

  test('10,000 rows arrive in one request and keep their order [OCS §8, D5.5]', async () => {
    const { id } = await api.campaign();
    const rows = Array.from({ length: 10_000 }, (_, index) => `138${String(index).padStart(8, '0')},客户${index}`);
    expect(await upload(id, `手机号,姓名\n${rows.join('\n')}`)).toMatchObject({
      status: 200,
      data: { totalRows: 10_000, createdRows: 10_000 },
    });
    const { rows: last } = required(await api.get(`/api/campaigns/${id}/contacts?pageSize=2`));
    expect(last.map((row: { customerName: string }) => row.customerName)).toEqual(['客户9999', '客户9998']);
  });

  test.each(['draft', 'paused', 'completed', 'archived'])('a %s campaign accepts a file [OCS 4.7 rule 2]', async status => {
    const { id } = await api.campaign();
    await api.server.running.context.database.run(sql`update campaign set status = ${status} where id = ${id}`);
    expect(await upload(id, 'phone\n13800138000')).toMatchObject({ status: 200, data: { createdRows: 1 } });
  });

  test('a running campaign gives 409 and imports nothing, dry run or not [OCS 4.7 rule 2]', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13800138000');
    required(await api.patch(`/api/campaigns/${id}`, { status: 'running' }));
    for (const dryRun of ['0', '1']) {
      expect(await upload(id, 'phone\n13800138001', { dryRun })).toMatchObject({
        status: 409,
        code: '409',
        data: null,
        msg: expect.stringContaining('正在运行'),
      });
    }
    expect(await total(id)).toBe(1);
  });

  test('a row that fails in the database rolls the whole import back [OCS 4.7 rule 3]', async () => {
    const { id } = await api.campaign();
    const { database } = api.server.running.context;
    await database.run(sql`
      create function refuse_one() returns trigger language plpgsql as $$
      begin if new.customer_name = '拒绝' then raise exception 'refused'; end if; return new; end $$`);
    await database.run(sql`create trigger contact_refuse before insert on contact for each row execute function refuse_one()`);
    const rows = Array.from({ length: 2_500 }, (_, index) => `138${String(index).padStart(8, '0')},${index === 2_400 ? '拒绝' : ''}`);
    const answer = await upload(id, `phone,name\n${rows.join('\n')}`);
    await database.run(sql`drop trigger contact_refuse on contact`);
    expect(answer).toMatchObject({ status: 500, data: null });
    expect(answer.msg).not.toContain('refused');
    expect(await total(id)).toBe(0);
  });

  test.each<[string, FileContent, string]>([
    ['an empty file', '', '参数错误：file 是空文件'],
    ['a header without rows', '手机号\n', '参数错误：file 只有表头，没有数据行'],
    ['a header without a number', '城市\n杭州', '参数错误：file 表头中没有号码列'],
    ['an unclosed quote', 'phone,name\n13800138000,"王', '的引号没有闭合'],
    ['10,001 rows', `phone\n${'13800138000\n'.repeat(10_001)}`, '参数错误：file 最多 10000 行数据'],
    ['bytes of no encoding', Uint8Array.from([0xef, 0xbb, 0xbf, 0xff]), '参数错误：file 文件编码无法识别'],
  ])('%s gives 400 and writes nothing [OCS 4.7 rule 4]', async (_, file, fault) => {
    const { id } = await api.campaign();
    const answer = await upload(id, file);
    expect(answer).toMatchObject({ status: 400, code: '400', data: null });
    expect(answer.msg).toContain(fault);
    expect(await total(id)).toBe(0);
  });

  test.each([
    [{ mapping: '{' }, 'mapping 不是合法的 JSON'],
    [{ mapping: '{}' }, 'mapping.phoneNumber 不能为空'],
    [{ mapping: '{"phoneNumber":"x"}' }, 'mapping.phoneNumber 指定的列「x」不在表头中'],
    [{ region: 'China' }, 'region 应为 ISO 3166-1'],
    [{ region: 'ZZ' }, 'region 不支持的国家或地区代码'],
    [{ region: 'US', carrier: 'mobile' }, 'carrier 只能用于地区 CN'],
    [{ carrier: 'mobile,t-mobile' }, 'carrier[1] 必须是'],
    [{ landline: 'maybe' }, 'landline 必须是 allow、reject 之一'],
    [{ dryRun: 'yes' }, 'dryRun 必须是 0、1 之一'],
  ])('the options %j give 400: %s [D6.3]', async (fields, fault) => {
    const { id } = await api.campaign();
    const answer = await upload(id, 'phone\n13800138000', fields);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.msg).toContain(`参数错误：${fault}`);
    expect(await total(id)).toBe(0);
  });

  test('a file of 5 MiB is read, one byte more gives 413 [OCS 4.7 rule 4, OCS §8]', async () => {
    const { id } = await api.campaign();
    const start = 'phone,name\n13800138000,"';
    const padding = 5 * 1024 * 1024 - start.length - 1;
    expect(await upload(id, `${start}${'a'.repeat(padding)}"`)).toMatchObject({ status: 200, data: { failedRows: 1 } });
    expect(await upload(id, `${start}${'a'.repeat(padding + 1)}"`)).toMatchObject({
      status: 413,
      code: '413',
      data: null,
      msg: '文件不能超过 5 MiB',
    });
    expect(await total(id)).toBe(0);
  });

  test('a form without file, with two, or with another name gives 400 [D6.3]', async () => {
    const { id } = await api.campaign();
    expect(await upload(id, new FormData(), { region: 'CN' })).toMatchObject({ status: 400, msg: '参数错误：file 不能为空' });
    const two = formOf('phone\n13800138000');
    two.append('file', new Blob(['phone\n13800138001']), 'b.csv');
    expect(await upload(id, two)).toMatchObject({ status: 400, msg: '参数错误：file 只能上传一个文件' });
    const other = new FormData();
    other.append('upload', new Blob(['phone\n13800138000']), 'a.csv');
    expect(await upload(id, other)).toMatchObject({ status: 400, msg: '参数错误：file 不能为空，收到的是「upload」' });
    expect(await total(id)).toBe(0);
  });

  test('a body other than multipart gives 415, a truncated form 400 [D2.2]', async () => {
    const { id } = await api.campaign();
    const send = (type: string, body: string) =>
      fetch(`${api.server.url}/api/campaigns/${id}/import-files`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${api.admin}`, 'Content-Type': type },
        body,
      });
    expect((await send('application/json', '{}')).status).toBe(415);
    expect((await send('multipart/form-data', 'x')).status).toBe(400);
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\n138001';
    expect((await send('multipart/form-data; boundary=b', cut)).status).toBe(400);
    expect(await total(id)).toBe(0);
  });

  test('stalled uploads do not block other imports', async () => {
    const { id } = await api.campaign();
    const { hostname, port } = new URL(api.server.url);
    const stalled = Array.from({ length: 6 }, () => connect(Number(port), hostname));
    const heads = [
      `POST /api/campaigns/${id}/import-files HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${api.admin}`,
      'Content-Length: 9999',
    ];
    for (const socket of stalled) socket.write(`${heads.join('\r\n')}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n`);
    expect(await upload(id, 'phone\n13800138000')).toMatchObject({ status: 200, data: { createdRows: 1 } });
    for (const socket of stalled) socket.destroy();
  });

  test('concurrent files wait for each other, and each can be followed by the id that the client chose [D6.6]', async () => {
    const campaigns = await Promise.all(Array.from({ length: 12 }, () => api.campaign()));
    const importId = randomUUID();
    const progressOf = (campaignId: number) => api.get(`/api/campaigns/${campaignId}/import-files/${importId}`);
    const [{ id }] = campaigns as [{ id: number }];
    expect(await progressOf(id)).toMatchObject({ status: 404, msg: '导入不存在' });
    const answers = await Promise.all(
      campaigns.map(one => api.server.api('POST', `/api/campaigns/${one.id}/import-files?importId=${importId}`, formOf(ROWS), api.admin)),
    );
    expect(answers.map(({ status }) => status)).toEqual(campaigns.map(() => 200));
    expect(answers[0]?.data).toMatchObject({ createdRows: 3_000 });
    const done = { importId, campaignId: id, stage: 'done', totalRows: 3_000, error: null, result: { createdRows: 3_000, failedRows: 0 } };
    expect((await progressOf(id)).data.import).toMatchObject({ ...done, updatedAt: expect.stringMatching(/Z$/) });
    const again = await api.server.api('POST', `/api/campaigns/${id}/import-files?importId=${importId}`, formOf(ROWS), api.admin);
    expect([again.status, again.msg]).toEqual([409, '该活动已有此编号的导入']);
  });

  test('a file that cannot be read is reported as failed to its followers', async () => {
    const { id } = await api.campaign();
    const path = `/api/campaigns/${id}/import-files`;
    const importId = randomUUID();
    const { msg } = await api.server.api('POST', `${path}?importId=${importId}`, formOf('phone\n"13800138000'), api.admin);
    const { data } = await api.get(`${path}/${importId}`);
    expect(data.import).toMatchObject({ stage: 'failed', error: msg, result: null });
    expect(await api.server.api('GET', `${path}/${importId}`, undefined, await api.server.loginAs('agent'))).toMatchObject({ status: 403 });
  });

  test('requires import:write; a missing campaign gives 404 [OCS 4.7]', async () => {
    const { id } = await api.campaign();
    expect(await upload(id, 'phone\n13800138000', {}, await api.server.loginAs('agent'))).toMatchObject({ status: 403 });
    expect(await upload(id, 'phone\n13800138000', {}, await api.server.loginAs('supervisor'))).toMatchObject({ status: 200 });
    expect(await upload(999_999, 'phone\n13800138000')).toMatchObject({ status: 404, msg: '活动不存在' });
  });

  test('the endpoints of older servers do not exist [OCS 4.7 rule 5]', async () => {
    const { id } = await api.campaign();
    expect(await api.post(`/api/campaigns/${id}/import-jobs`, {})).toMatchObject({ status: 404, code: '404', data: null });
    expect(await api.get(`/api/campaigns/${id}/import-files`)).toMatchObject({ status: 405 });
  });

  test('the example list imports, and its invalid rows are reported [D6.5]', async () => {
    const { id } = await api.campaign();
    const file = new Uint8Array(await readFile(join(import.meta.dirname, '../../../examples/contacts.csv')));
    const { status, data } = await upload(id, file);
    expect(status).toBe(200);
    expect(data.createdRows).toBeGreaterThan(200);
    expect(data.failedRows).toBeGreaterThan(0);
    expect(data.errors).toHaveLength(data.skippedRows);
  });
});

test('a failure of the database rolls the whole file back [OCS 4.7 rule 3]', async () => {
  const { id } = await api.campaign();
  const { database } = api.server.running.context;
  await database.run(sql`create function refuse_contact() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
  await database.run(sql`
    create trigger refuse_contact before insert on contact for each row when (new.phone_number = '13800009999') execute function refuse_contact()`);
  const numbers = Array.from({ length: 1_500 }, (_, index) => String(13_700_000_000 + index));
  const answer = await upload(id, ['手机号', ...numbers, '13800009999'].join('\n'));
  expect(answer.status).toBe(500);
  expect(await total(id)).toBe(0);
  await database.run(sql`drop trigger refuse_contact on contact`);
  expect((await upload(id, ['手机号', ...numbers].join('\n'))).data.createdRows).toBe(1_500);
});
