import { createServer, type RequestListener, type Server } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemIds } from '#kernel/ids.ts';
import { NO_ROWS } from '#lists/import-counts.ts';
import { newImport } from '#lists/import-input.ts';
import { filePuller } from '#lists/pull-file.ts';
import { removeList } from '#lists/remove-list.ts';
import { startImport } from '#lists/start-import.ts';
import { useList } from '#lists/use-list.ts';
import { insertCampaign, insertContact } from '#test/support/rows.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { IMPORTER, type ImportRig, startImportRig } from './import-rig.ts';

const TIMEOUT_MS = 60_000;

let rig: ImportRig;
const servers: Server[] = [];
beforeAll(async () => {
  rig = await startImportRig();
}, TIMEOUT_MS);
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rig?.close());

const file = (...lines: string[]) => Buffer.from(['手机号,姓名,外部编号,电话2', ...lines, ''].join('\n'));

describe('a campaign takes a list [D6.9]', () => {
  test('the contacts of a version, in its order; taken again, only what has changed', async () => {
    const { id: listId } = await rig.newList();
    await rig.import(file('13800138000,甲,1,', '13800138001,乙,2,13900139001'), { listId });
    await rig.import(file('13800138000,甲改,1,', '13800138002,丙,3,'), { listId });
    const campaignId = await insertCampaign(rig.db);
    const first = await useList(rig.app, IMPORTER, listId, { campaignId, version: 1 });
    expect((await rig.untilOver(first.id)).counts).toEqual({ ...NO_ROWS, totalRows: 2, createdRows: 2 });
    const contacts = () =>
      rig.rows(sql<{ customerName: string; numbers: number }>`
        select customer_name, (select count(*) from contact_number n where n.contact_id = k.id) as numbers from contact k
        where campaign_id = ${campaignId} order by id`);
    expect(await contacts()).toEqual([
      { customerName: '甲', numbers: 0 },
      { customerName: '乙', numbers: 2 },
    ]);
    const second = await useList(rig.app, IMPORTER, listId, { campaignId });
    expect((await rig.untilOver(second.id)).counts).toEqual({ ...NO_ROWS, totalRows: 3, createdRows: 1, updatedRows: 1, unchangedRows: 1 });
    expect((await contacts()).map(row => row.customerName)).toEqual(['甲改', '乙', '丙']);
  });

  test('numbers that nobody calls are no contacts', async () => {
    const { id: listId } = await rig.newList('do_not_call');
    const campaignId = await insertCampaign(rig.db);
    await expect(useList(rig.app, IMPORTER, listId, { campaignId })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a do-not-call list [D6.9, D8.7]', () => {
  const entries = () =>
    rig.rows(sql<{ phoneNumber: string; expires: boolean }>`
      select phone_number, expires_at is not null as expires from do_not_call order by phone_number`);

  test('forbids each of its numbers, and frees those that nobody else has listed when it is removed', async () => {
    await rig.db.run(sql`
      insert into do_not_call (phone_number, dial_key, source, expires_at)
      values ('13700137000', (select '13700137000'), 'manual', now() + interval '1 day')`);
    const [mine, other] = [await rig.newList('do_not_call'), await rig.newList('do_not_call')];
    await rig.import(file('13700137001,甲,1,13700137002', '13700137003,乙,2,'), { listId: mine.id });
    await rig.import(file('13700137003,乙,2,'), { listId: other.id });
    expect((await entries()).map(entry => entry.phoneNumber)).toEqual(
      expect.arrayContaining(['13700137001', '13700137002', '13700137003']),
    );
    const campaignId = await insertCampaign(rig.db);
    const contactId = await insertContact(rig.db, { campaignId, phoneNumber: '13700137001', holdReason: 'dnc' });
    await removeList(rig.app, IMPORTER, mine.id);
    await waitUntil(
      'the rows to be removed',
      async () => (await rig.rows(sql`select 1 from contact_list_row where list_id = ${mine.id}`)).length === 0,
    );
    const left = (await entries()).map(entry => entry.phoneNumber);
    expect(left).toContain('13700137003');
    expect(left).not.toContain('13700137001');
    const [contact] = await rig.rows(sql<{ holdReason: string | null }>`select hold_reason from contact where id = ${contactId}`);
    expect(contact).toEqual({ holdReason: null });
  });

  test('frees a number that a later version of the list replaces', async () => {
    const { id: listId } = await rig.newList('do_not_call');
    await rig.import(file('13400134000,甲,1,', '13400134001,乙,2,'), { listId });
    expect(await rig.import(file('13400134002,甲,1,', '13400134001,乙,2,'), { listId })).toMatchObject({
      updatedRows: 1,
      unchangedRows: 1,
    });
    const listed = await rig.rows(sql<{ phoneNumber: string }>`select phone_number from do_not_call where list_id = ${listId} order by 1`);
    expect(listed.map(row => row.phoneNumber)).toEqual(['13400134001', '13400134002']);
  });

  test('a row that changes keeps its number forbidden when its import is cancelled', async () => {
    const { id: listId } = await rig.newList('do_not_call');
    await rig.import(file('13600136000,甲,1,'), { listId });
    const lines = Array.from({ length: 60_000 }, (_, index) => `136${String(index + 1_000_000).padStart(8, '0')},新,N${index},`);
    const job = await rig.start(file('13600136000,甲改,1,', ...lines), { listId });
    await waitUntil(
      'the first rows',
      async () => (await rig.rows(sql`select 1 from contact_list_row where list_id = ${listId} and since_version = 2`)).length > 0,
    );
    await rig.db.run(
      sql`update job set state = 'cancelled', finished_at = now(), lease_until = null, lease_token = null where id = ${job.id}`,
    );
    await waitUntil(
      'the version to be taken back',
      async () => (await rig.rows(sql`select 1 from contact_list where id = ${listId} and import_id is null`)).length > 0,
    );
    const listed = await rig.rows(sql<{ phoneNumber: string }>`select phone_number from do_not_call where list_id = ${listId}`);
    expect(listed).toEqual([{ phoneNumber: '13600136000' }]);
  });
});

describe('a file is fetched from an address [D6.9]', () => {
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}/%E5%90%8D%E5%8D%95.csv`;
  }
  const pull = async (url: string, listId: number) => startImport(rig.app, IMPORTER, newImport.parse({ url, listId }));

  test('where private addresses are allowed', async () => {
    const url = await serve((_request, response) => response.end(file('13500135000,甲,1,')));
    const { id: listId } = await rig.newList();
    const job = await pull(url, listId);
    expect(await rig.untilOver(job.id)).toMatchObject({ fileName: '名单.csv', counts: { createdRows: 1 } });
    expect(await readdir(join(rig.folder, 'imports')).catch(() => [])).toEqual([]);
  });

  test('not from a private address without that, also not behind a redirect', async () => {
    const { requirePullable, pullFile } = filePuller(rig.app, { allowPrivate: false, buckets: [], signObject: null });
    expect(() => requirePullable('http://127.0.0.1/list.csv')).toThrow(/url/);
    expect(() => requirePullable('https://10.0.0.1/list.csv')).toThrow(/url/);
    expect(() => requirePullable('s3://bucket/list.csv')).toThrow(/url/);
    const request = { key: `imports/${systemIds()}`, signal: new AbortController().signal, report: () => undefined };
    await expect(pullFile({ ...request, url: 'https://localhost/list.csv' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('a file that is too long is refused while it comes', async () => {
    const { pullFile } = filePuller({ ...rig.app, maxImportBytes: 1_000 }, { allowPrivate: true, buckets: [], signObject: null });
    const url = await serve((_request, response) => response.end(Buffer.alloc(5_000, 'a')));
    const request = { key: `imports/${systemIds()}`, signal: new AbortController().signal, report: () => undefined };
    await expect(pullFile({ ...request, url })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  test('a workbook that is too long is refused with the way out', async () => {
    const { pullFile } = filePuller({ ...rig.app, maxImportBytes: 8 * 1024 ** 2 }, { allowPrivate: true, buckets: [], signObject: null });
    const workbook = Buffer.alloc(5 * 1024 ** 2 + 1);
    workbook.write('504b0304', 'hex');
    const url = await serve((_request, response) => response.end(workbook));
    const request = { key: `imports/${systemIds()}`, signal: new AbortController().signal, report: () => undefined };
    const refusal = 'XLSX 文件不能超过 5 MiB，请另存为 CSV 后导入：CSV 与 TSV 可达 8 MiB';
    await expect(pullFile({ ...request, url })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: refusal });
  });

  test('an answer without a file fails the job with its status', async () => {
    const url = await serve((_request, response) => response.writeHead(404).end());
    const { id: listId } = await rig.newList();
    const failed = await rig.untilOver((await pull(url, listId)).id, 'failed');
    expect(failed.error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('404') });
  });
});
